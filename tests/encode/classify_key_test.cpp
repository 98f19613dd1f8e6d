#include "reference.hpp"
#include <sluice/encode/escape.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace {

using namespace std::string_view_literals;
using sluice::encode::classify_key;
using sluice::encode::key_class;

consteval key_class literal(std::string_view key) {
    return classify_key(key.data(), key.size());
}

static_assert(literal("created_at") == key_class::plain);
static_assert(literal("") == key_class::plain);
static_assert(literal("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \x7f") == key_class::plain);
static_assert(literal("a\"b") == key_class::needs_escape);
static_assert(literal("a\\b") == key_class::needs_escape);
static_assert(literal("a\0b"sv) == key_class::needs_escape);
static_assert(literal("<\n>") == key_class::needs_escape);
static_assert(literal("a<b") == key_class::html_sensitive);
static_assert(literal("&>") == key_class::html_sensitive);
static_assert(literal("\xe2\x80\xa8") == key_class::html_sensitive);
static_assert(literal("\xe2\x80\xa9") == key_class::html_sensitive);
static_assert(literal("\xe2\x80\xaa\xe3\x80\xa8") == key_class::plain);
static_assert(literal("\xff") == key_class::invalid_utf8);
static_assert(literal("\"<\xc3") == key_class::invalid_utf8);

TEST(ClassifyKeyTest, EachClassIsWhatEscapingWouldChange) {
    for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < 256; ++b) {
            const std::string key = {'k', static_cast<char>(a), static_cast<char>(b)};
            const key_class expected = reference::valid_prefix(key) != key.size() ? key_class::invalid_utf8
                                       : reference::escape(key, false) != key     ? key_class::needs_escape
                                       : reference::escape(key, true) != key      ? key_class::html_sensitive
                                                                                  : key_class::plain;
            ASSERT_EQ(classify_key(key.data(), key.size()), expected) << a << ' ' << b;
        }
    }
}

} // namespace
