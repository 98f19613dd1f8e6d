#include "reference.hpp"
#include <sluice/encode/utf8.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using sluice::encode::classify_utf8;
using sluice::encode::is_valid_utf8;
using sluice::encode::utf8_kind;
using sluice::encode::utf8_step;
using sluice::encode::valid_prefix;

std::string bytes(std::initializer_list<int> values) {
    std::string text;
    for (const int value : values)
        text += static_cast<char>(value);
    return text;
}

utf8_step expected_step(std::string_view text) {
    const auto next = reference::first_sequence(text);
    return {next.whole ? utf8_kind::valid
            : next.cut ? utf8_kind::incomplete
                       : utf8_kind::invalid,
            static_cast<unsigned char>(next.length)};
}

std::string encode(std::uint32_t code) {
    const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
    if (code < 0x80)
        return {byte(code)};
    if (code < 0x800)
        return {byte(0xc0 | code >> 6), byte(0x80 | (code & 63))};
    if (code < 0x10000)
        return {byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 63)), byte(0x80 | (code & 63))};
    return {byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 63)), byte(0x80 | (code >> 6 & 63)),
            byte(0x80 | (code & 63))};
}

// Both sides of each border in table 3-7.
constexpr std::array<int, 26> border_bytes = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf,
                                              0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
                                              0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff};

static_assert(classify_utf8("\xc3\xa9", 2) == utf8_step{utf8_kind::valid, 2});
static_assert(classify_utf8("\xc3\xa9", 1) == utf8_step{utf8_kind::incomplete, 1});
static_assert(classify_utf8("\xed\xa0\x80", 3) == utf8_step{utf8_kind::invalid, 1});

TEST(Utf8Test, EverySequenceOfBorderBytesIsClassifiedByTable37) {
    for (const int a : border_bytes) {
        for (const int b : border_bytes) {
            for (const int c : border_bytes) {
                for (const int d : border_bytes) {
                    const std::string text = bytes({a, b, c, d});
                    for (std::size_t n = 1; n <= 4; ++n) {
                        const std::string_view part(text.data(), n);
                        ASSERT_EQ(classify_utf8(part.data(), n), expected_step(part))
                            << a << ' ' << b << ' ' << c << ' ' << d;
                    }
                }
            }
        }
    }
}

TEST(Utf8Test, EveryPairOfBytesIsClassifiedByTable37) {
    for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < 256; ++b) {
            const std::string text = bytes({a, b});
            ASSERT_EQ(classify_utf8(text.data(), 2), expected_step(text)) << a << ' ' << b;
        }
    }
}

TEST(Utf8Test, EveryCodePointIsValidAndEverySurrogateIsNot) {
    std::string text;
    for (std::uint32_t code = 0; code < 0x110000; ++code) {
        // Its place in the block varies, so that every lane and a block's end are met.
        const std::size_t before = code % 19;
        const std::string character = encode(code);
        text.assign(before, 'a').append(character).append(16, 'b');
        const bool surrogate = code >= 0xd800 && code < 0xe000;
        ASSERT_EQ(valid_prefix(text.data(), text.size()), surrogate ? before : text.size()) << code;
        ASSERT_EQ(is_valid_utf8(character), !surrogate) << code;
    }
}

TEST(Utf8Test, ValidPrefixStopsAtTheFirstIllFormedSequenceInEveryLane) {
    std::size_t place = 0;
    for (const int a : border_bytes) {
        for (const int b : border_bytes) {
            for (const int c : border_bytes) {
                for (const int d : border_bytes) {
                    place = (place + 7) % 33;
                    const std::string text =
                        std::string(place, 'x') + bytes({a, b, c, d}) + std::string(37 - place, 'y');
                    ASSERT_EQ(valid_prefix(text.data(), text.size()), reference::valid_prefix(text))
                        << a << ' ' << b << ' ' << c << ' ' << d << " at " << place;
                }
            }
        }
    }
}

TEST(Utf8Test, ValidPrefixAgreesOnDenseNonAsciiText) {
    const std::vector<std::string> pieces = {"a",
                                             "\xc3\xa9",
                                             "\xdf\xbf",
                                             "\xe0\xa4\x95",
                                             "\xe2\x82\xac",
                                             "\xed\x95\x9c",
                                             "\xef\xbf\xbf",
                                             "\xf0\x9f\x98\x80",
                                             "\xf4\x8f\xbf\xbf",
                                             "zz"};
    const std::vector<std::string> faults = {"",
                                             "\x80",
                                             "\xc3",
                                             "\xe2\x82",
                                             "\xf0\x9f\x98",
                                             "\xc0\xaf",
                                             "\xe0\x9f\xbf",
                                             "\xed\xa0\x80",
                                             "\xf0\x8f\xbf\xbf",
                                             "\xf4\x90\x80\x80",
                                             "\xf5\x80\x80\x80"};
    std::mt19937 random(20'26);
    for (int round = 0; round < 60'000; ++round) {
        std::string text;
        const std::size_t count = random() % 24;
        for (std::size_t i = 0; i < count; ++i)
            text += pieces[random() % pieces.size()];
        text += faults[random() % faults.size()];
        for (std::size_t i = random() % 20; i > 0; --i)
            text += pieces[random() % pieces.size()];
        ASSERT_EQ(valid_prefix(text.data(), text.size()), reference::valid_prefix(text))
            << testing::PrintToString(text);
    }
}

TEST(Utf8Test, NothingIsReadOutsideTheText) {
    const reference::guarded_page page;
    for (std::size_t n = 0; n <= 100; ++n) {
        for (const std::string_view unit : {"a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"}) {
            std::string text;
            while (text.size() < n)
                text += unit;
            text.resize(n);
            EXPECT_EQ(valid_prefix(page.at_end(text), n), n - n % unit.size());
            EXPECT_EQ(valid_prefix(page.at_begin(text), n), n - n % unit.size());
        }
    }
}

TEST(Utf8Test, TheEmptyTextIsValid) {
    EXPECT_EQ(valid_prefix(nullptr, 0), 0u);
    EXPECT_TRUE(is_valid_utf8({}));
}

TEST(Utf8Test, EmbeddedNulIsValid) {
    EXPECT_TRUE(is_valid_utf8(std::string(40, '\0')));
}

} // namespace
