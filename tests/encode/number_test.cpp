#include <sluice/encode/number.hpp>

#include <gtest/gtest.h>

#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <locale>
#include <random>
#include <string>
#include <string_view>

namespace {

using sluice::encode::integer;
using sluice::encode::max_double_size;
using sluice::encode::max_integer_size;
using sluice::encode::write_integer;
using sluice::encode::write_number;

static_assert(integer<signed char> && integer<unsigned char> && integer<short> && integer<unsigned long long>);
static_assert(!integer<bool> && !integer<char> && !integer<wchar_t> && !integer<char8_t> && !integer<char16_t> &&
              !integer<char32_t> && !integer<const bool> && !integer<double>);

template <class T>
concept has_number = requires(char* out, T value) { write_number(out, value); };
static_assert(has_number<double> && has_number<float>);
static_assert(!has_number<long double>, "refused, not rounded in silence");
static_assert(!has_number<int>, "an integer goes to write_integer, never through a double");

// Fails when anything outside the promised bytes is written.
template <class Write>
std::string text_of(std::size_t room, Write write) {
    constexpr char mark = '\x5a';
    std::string buffer(room + 16, mark);
    char* const out = buffer.data() + 8;
    char* const end = write(out);
    const auto length = static_cast<std::size_t>(end - out);
    EXPECT_LE(length, room);
    EXPECT_EQ(buffer.substr(0, 8), std::string(8, mark));
    EXPECT_EQ(buffer.substr(8 + room), std::string(8, mark));
    return buffer.substr(8, length);
}

template <class Integer>
std::string integer_text(Integer value) {
    return text_of(max_integer_size, [&](char* out) { return write_integer(out, value); });
}

template <class Float>
std::string number_text(Float value, bool keep_point = false) {
    return text_of(max_double_size, [&](char* out) { return write_number(out, value, keep_point); });
}

// RFC 8259, section 6: [ minus ] int [ frac ] [ exp ]
bool is_json_number(std::string_view text) {
    const auto digits = [&text] {
        std::size_t n = 0;
        while (n < text.size() && text[n] >= '0' && text[n] <= '9')
            ++n;
        text.remove_prefix(n);
        return n;
    };
    if (text.starts_with('-'))
        text.remove_prefix(1);
    const bool zero = text.starts_with('0');
    const std::size_t whole = digits();
    if (whole == 0 || (zero && whole > 1))
        return false;
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        if (digits() == 0)
            return false;
    }
    if (text.starts_with('e') || text.starts_with('E')) {
        text.remove_prefix(1);
        if (text.starts_with('+') || text.starts_with('-'))
            text.remove_prefix(1);
        if (digits() == 0)
            return false;
    }
    return text.empty();
}

template <class Integer>
void expect_edges() {
    using limits = std::numeric_limits<Integer>;
    EXPECT_EQ(integer_text(limits::min()), std::to_string(limits::min()));
    EXPECT_EQ(integer_text(limits::max()), std::to_string(limits::max()));
    EXPECT_EQ(integer_text(Integer{0}), "0");
    EXPECT_EQ(integer_text(static_cast<Integer>(limits::min() + 1)), std::to_string(limits::min() + 1));
    EXPECT_EQ(integer_text(static_cast<Integer>(limits::max() - 1)), std::to_string(limits::max() - 1));
}

TEST(NumberTest, TheEdgesOfEveryIntegerTypeAreExact) {
    expect_edges<signed char>();
    expect_edges<unsigned char>();
    expect_edges<short>();
    expect_edges<unsigned short>();
    expect_edges<int>();
    expect_edges<unsigned>();
    expect_edges<long>();
    expect_edges<unsigned long>();
    expect_edges<long long>();
    expect_edges<unsigned long long>();
}

// ENC 28 (uint64 maximum), ENC 29 (int64 edges, 2^63)
TEST(NumberTest, SixtyFourBitIntegersAreNeverRounded) {
    EXPECT_EQ(integer_text(std::uint64_t{18446744073709551615u}), "18446744073709551615");
    EXPECT_EQ(integer_text(std::uint64_t{1} << 63), "9223372036854775808");
    EXPECT_EQ(integer_text(std::int64_t{0x7fffffffffffffff}), "9223372036854775807");
    EXPECT_EQ(integer_text(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
    EXPECT_EQ(integer_text((std::int64_t{1} << 53) + 1), "9007199254740993");
}

TEST(NumberTest, EverySixteenBitIntegerIsExact) {
    for (int value = -32'768; value <= 65'535; ++value) {
        ASSERT_EQ(integer_text(value), std::to_string(value));
        if (value <= 32'767) {
            ASSERT_EQ(integer_text(static_cast<std::int16_t>(value)), std::to_string(value));
        }
        if (value >= 0) {
            ASSERT_EQ(integer_text(static_cast<std::uint16_t>(value)), std::to_string(value));
        }
    }
}

TEST(NumberTest, PowersOfTenAndOfTwoAndTheirNeighboursAreExact) {
    const auto check = [](std::uint64_t value) {
        for (const std::uint64_t near : {value - 1, value, value + 1}) {
            EXPECT_EQ(integer_text(near), std::to_string(near));
            const auto negative = static_cast<std::int64_t>(std::uint64_t{0} - near);
            EXPECT_EQ(integer_text(negative), std::to_string(negative));
        }
    };
    std::uint64_t power = 1;
    for (int i = 0; i < 20; ++i, power *= 10)
        check(power);
    for (int i = 0; i < 64; ++i)
        check(std::uint64_t{1} << i);
}

TEST(NumberTest, RandomIntegersOfEveryLengthAreExact) {
    std::mt19937_64 random(28'29);
    for (int i = 0; i < 1'000'000; ++i) {
        const std::uint64_t value = random() >> (random() % 64);
        char buffer[max_integer_size];
        char expected[max_integer_size];
        const auto as_signed = static_cast<std::int64_t>(i % 2 == 0 ? value : 0 - value);
        const std::string_view text(buffer, static_cast<std::size_t>(write_integer(buffer, as_signed) - buffer));
        const char* const end = std::to_chars(expected, expected + sizeof expected, as_signed).ptr;
        ASSERT_EQ(text, std::string_view(expected, static_cast<std::size_t>(end - expected)));
    }
}

// ENC 22, ENC 21
TEST(NumberTest, DoublesAreTheShortestTextThatReadsBack) {
    EXPECT_EQ(number_text(0.1), "0.1");
    EXPECT_EQ(number_text(0.2), "0.2");
    EXPECT_EQ(number_text(1.2345), "1.2345");
    EXPECT_EQ(number_text(5e-324), "5e-324");
    EXPECT_EQ(number_text(1.7976931348623157e308), "1.7976931348623157e+308");
    EXPECT_EQ(number_text(-2.2250738585072014e-308), "-2.2250738585072014e-308");
    EXPECT_EQ(number_text(1e-20), "1e-20");
    EXPECT_EQ(number_text(0.9868011474609375), "0.9868011474609375");
    EXPECT_EQ(number_text(9007199254740993.0), "9007199254740992");
    EXPECT_EQ(number_text(0.0), "0");
    EXPECT_EQ(number_text(16.0), "16");
}

// ENC 24
TEST(NumberTest, NegativeZeroKeepsItsSignAndLargePowersAreJson) {
    EXPECT_EQ(number_text(-0.0), "-0");
    EXPECT_EQ(number_text(-0.0f), "-0");
    EXPECT_EQ(number_text(-0.0, true), "-0.0");
    EXPECT_EQ(number_text(1e308), "1e+308");
    EXPECT_TRUE(is_json_number(number_text(1e308)));
}

TEST(NumberTest, WholeNumbersReadAsIntegersWhereTheTypeHoldsThemExactly) {
    EXPECT_EQ(number_text(100000.0), "100000");
    EXPECT_EQ(number_text(-100000.0), "-100000");
    EXPECT_EQ(number_text(100000.0, true), "100000.0");
    EXPECT_EQ(number_text(999999999999999.0), "999999999999999");
    EXPECT_EQ(number_text(1e15), "1e+15");
    EXPECT_EQ(number_text(1e5f), "100000");
    EXPECT_EQ(number_text(16777215.0f), "16777215");
}

// ENC 25
TEST(NumberTest, AFloatIsShortenedAsAFloat) {
    EXPECT_EQ(number_text(3.723379f), "3.723379");
    EXPECT_EQ(number_text(0.1f), "0.1");
    EXPECT_EQ(number_text(std::numeric_limits<float>::max()), "3.4028235e+38");
    EXPECT_EQ(number_text(std::numeric_limits<float>::denorm_min()), "1e-45");
}

TEST(NumberTest, KeepPointMakesWholeNumbersDecimal) {
    EXPECT_EQ(number_text(16.0, true), "16.0");
    EXPECT_EQ(number_text(16.0f, true), "16.0");
    EXPECT_EQ(number_text(0.0, true), "0.0");
    EXPECT_EQ(number_text(-3.0, true), "-3.0");
    EXPECT_EQ(number_text(16.5, true), "16.5");
    EXPECT_EQ(number_text(1e300, true), "1e+300");
    EXPECT_EQ(number_text(9007199254740992.0, true), "9007199254740992.0");
}

template <class Float, class Bits>
void expect_round_trips(unsigned seed, int count) {
    std::mt19937_64 random(seed);
    for (int i = 0; i < count; ++i) {
        const auto bits = static_cast<Bits>(random());
        Float value;
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value))
            continue;
        char buffer[max_double_size];
        const bool keep_point = i % 2 == 0;
        const std::string_view text(buffer, static_cast<std::size_t>(write_number(buffer, value, keep_point) - buffer));
        ASSERT_TRUE(is_json_number(text)) << text;
        Float back = 0;
        const auto result = std::from_chars(text.data(), text.data() + text.size(), back);
        ASSERT_EQ(result.ec, std::errc()) << text;
        ASSERT_EQ(std::memcmp(&back, &value, sizeof value), 0) << text;
        ASSERT_TRUE(!keep_point || text.find_first_of(".e") != std::string_view::npos) << text;
    }
}

TEST(NumberTest, AMillionRandomDoublesReadBackBitForBit) {
    expect_round_trips<double, std::uint64_t>(21, 1'000'000);
}

TEST(NumberTest, AMillionRandomFloatsReadBackBitForBit) {
    expect_round_trips<float, std::uint32_t>(25, 1'000'000);
}

TEST(NumberTest, EveryPowerOfTwoAndOfTenReadsBack) {
    for (int exponent = -1074; exponent <= 1023; ++exponent) {
        const double value = std::ldexp(1.0, exponent);
        for (const double near : {value, std::nextafter(value, 0.0), -value}) {
            const std::string text = number_text(near);
            double back = 1;
            std::from_chars(text.data(), text.data() + text.size(), back);
            EXPECT_EQ(back, near);
            EXPECT_TRUE(is_json_number(text)) << text;
        }
    }
    for (int exponent = -307; exponent <= 308; ++exponent) {
        const std::string literal = "1e" + std::to_string(exponent);
        double value = 0;
        std::from_chars(literal.data(), literal.data() + literal.size(), value);
        const std::string text = number_text(value);
        double back = 1;
        std::from_chars(text.data(), text.data() + text.size(), back);
        EXPECT_EQ(back, value);
        const bool plain = exponent >= 0 && exponent < 15;
        EXPECT_LE(text.size(), plain ? static_cast<std::size_t>(exponent) + 1 : literal.size() + 2) << text; // 1e+15
    }
}

// ENC 27
TEST(NumberTest, ACommaLocaleChangesNothing) {
    struct comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        char do_thousands_sep() const override { return '.'; }
        std::string do_grouping() const override { return "\3"; }
    };
    const std::string c_locale = std::setlocale(LC_ALL, nullptr);
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new comma));
    // The C library's too, when the machine has one of them.
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fi_FI.UTF-8", "fr_FR.UTF-8"}) {
        if (std::setlocale(LC_ALL, name) != nullptr)
            break;
    }
    EXPECT_EQ(number_text(1.5), "1.5");
    EXPECT_EQ(number_text(1.0, true), "1.0");
    EXPECT_EQ(number_text(1.5f), "1.5");
    EXPECT_EQ(integer_text(1234567), "1234567");
    std::locale::global(before);
    std::setlocale(LC_ALL, c_locale.c_str());
}

} // namespace
