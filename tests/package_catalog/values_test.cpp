#include "values.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace package_catalog {
namespace {

// A person as one string, the absent email as "-".
std::string shown(std::string_view value) {
    const person someone = parse_person(value);
    std::string buffer;
    std::string result(name_of(someone, buffer));
    result += '|';
    result += someone.email.value_or("-");
    result += '|';
    result += someone.rest;
    return result;
}

TEST(PersonTest, ANameAndAnAddress) {
    EXPECT_EQ(shown("Jo Doe <jo@example.org>"), "Jo Doe|jo@example.org|");
    EXPECT_EQ(shown(" Jo\n Doe\t< jo@example.org > "), "Jo\n Doe|jo@example.org|");
    EXPECT_EQ(shown("G\xC3\xBCrkan<g@x>"), "G\xC3\xBCrkan|g@x|");
}

TEST(PersonTest, QuotesAroundTheWholeNameAreTakenOff) {
    EXPECT_EQ(shown("\"Doe, Jo (x)\" <jo@x>"), "Doe, Jo (x)|jo@x|");
    EXPECT_EQ(shown("\"Doe <the first>\" <jo@x>"), "Doe <the first>|jo@x|");
    EXPECT_EQ(shown("\"a \\\"b\\\" \\\\c\" <jo@x>"), "a \"b\" \\c|jo@x|");
    EXPECT_EQ(shown("\"\" <jo@x>"), "|jo@x|");
    EXPECT_EQ(shown("\"only a name\""), "only a name|-|");
}

TEST(PersonTest, OtherQuotesStay) {
    EXPECT_EQ(shown("Jo \"J\" Doe <jo@x>"), "Jo \"J\" Doe|jo@x|");
    EXPECT_EQ(shown("\"J\" Doe <jo@x>"), "\"J\" Doe|jo@x|");
    EXPECT_EQ(shown("\"J Doe <jo@x>"), "\"J Doe|jo@x|");
    EXPECT_EQ(shown("\""), "\"|-|");
}

TEST(PersonTest, WhatFollowsTheAddressIsKept) {
    EXPECT_EQ(shown("A <a@x>,"), "A|a@x|,");
    EXPECT_EQ(shown("A <a@x>, B <b@x>"), "A|a@x|, B <b@x>");
}

TEST(PersonTest, AMissingPartIsAbsent) {
    EXPECT_EQ(shown("jo@example.org"), "|jo@example.org|");
    EXPECT_EQ(shown("<jo@x>"), "|jo@x|");
    EXPECT_EQ(shown("Jo <>"), "Jo||");
    EXPECT_EQ(shown("Jo Doe"), "Jo Doe|-|");
    EXPECT_EQ(shown("Jo at jo@x"), "Jo at jo@x|-|");
    EXPECT_EQ(shown("Jo <jo@x"), "Jo <jo@x|-|");
    EXPECT_EQ(shown(""), "|-|");
}

std::vector<std::string> tags_of(std::string_view value) {
    std::vector<std::string> result;
    std::string buffer;
    for (const tag& one : tag_list(value))
        result.emplace_back(tag_of(one, buffer));
    return result;
}

using strings = std::vector<std::string>;

TEST(TagTest, TagsStandBetweenCommas) {
    EXPECT_EQ(tags_of("a::b, c::d,\n e::f"), (strings{"a::b", "c::d", "e::f"}));
    EXPECT_EQ(tags_of(" a , , b ,"), (strings{"a", "b"}));
    EXPECT_EQ(tags_of(""), strings{});
    EXPECT_EQ(tags_of(" ,\n"), strings{});
}

TEST(TagTest, BracesAreAShortForm) {
    EXPECT_EQ(tags_of("x, a::{b, c++ ,d}, y"), (strings{"x", "a::b", "a::c++", "a::d", "y"}));
    EXPECT_EQ(tags_of("a::{b}"), strings{"a::b"});
    EXPECT_EQ(tags_of("a::{b,c}d::{e}"), (strings{"a::b", "a::c", "d::e"}));
}

TEST(TagTest, BracesThatAreNoShortFormAreOrdinary) {
    EXPECT_EQ(tags_of("a::{b, c"), (strings{"a::{b", "c"}));
    EXPECT_EQ(tags_of("a}, b"), (strings{"a}", "b"}));
    EXPECT_EQ(tags_of("a::{}, b"), (strings{"a::{}", "b"}));
}

TEST(SizeTest, DecimalDigitsAreANumber) {
    EXPECT_EQ(parse_size("0"), 0U);
    EXPECT_EQ(parse_size("1377557908"), 1377557908U);
    EXPECT_EQ(parse_size("18446744073709551615"), 18446744073709551615U);
}

TEST(SizeTest, AnythingElseIsNone) {
    for (const char* value : {"", "18446744073709551616", "99999999999999999999999", "-1", "+1", " 1", "1 ", "1k",
                              "0x10", "1.0", "1e3", "007", "00", "1\n 2"})
        EXPECT_FALSE(parse_size(value)) << value;
}

} // namespace
} // namespace package_catalog
