#include <sluice/encode/chrono_format.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <limits>
#include <random>
#include <ratio>
#include <string>

namespace {

using namespace std::chrono;
using sluice::encode::max_duration_size;
using sluice::encode::max_timestamp_size;
using sluice::encode::write_duration;
using sluice::encode::write_timestamp;

// Fails when anything outside the promised bytes is written; "out of range" for nullptr.
template <class Write>
std::string text_of(std::size_t room, Write write) {
    constexpr char mark = '\x5a';
    std::string buffer(room + 16, mark);
    char* const out = buffer.data() + 8;
    const char* const end = write(out);
    EXPECT_EQ(buffer.substr(0, 8), std::string(8, mark));
    EXPECT_EQ(buffer.substr(8 + room), std::string(8, mark));
    if (end == nullptr) {
        EXPECT_EQ(buffer, std::string(room + 16, mark));
        return "out of range";
    }
    return {out, static_cast<std::size_t>(end - out)};
}

template <class Duration>
std::string stamp(sys_time<Duration> time, unsigned digits = 3) {
    return text_of(max_timestamp_size, [&](char* out) { return write_timestamp(out, time, digits); });
}

// A user's clock, whose epoch is a day after the Unix one, and one that does not say how it relates to Unix time.
struct late_clock {
    using rep = std::int64_t;
    using period = std::milli;
    using duration = std::chrono::duration<rep, period>;
    using time_point = std::chrono::time_point<late_clock>;
    static std::time_t to_time_t(time_point time) { return floor<seconds>(time.time_since_epoch()).count() + 86'400; }
};
static_assert(sluice::time_point_like<sys_days> && sluice::time_point_like<late_clock::time_point>);
static_assert(!sluice::time_point_like<steady_clock::time_point> && !sluice::time_point_like<local_seconds>);
static_assert(!sluice::time_point_like<seconds> && !sluice::duration_like<sys_days>);

template <class Rep, class Period>
std::string length(duration<Rep, Period> value) {
    return text_of(max_duration_size, [&](char* out) { return write_duration(out, value); });
}

constexpr sys_days noon_day = 2026y / November / 30;

// ENC 41: 0 and 123 ms
TEST(ChronoFormatTest, ATimestampHasTheStatedDigitsAlways) {
    EXPECT_EQ(stamp(sys_time<milliseconds>(noon_day + 12h)), "2026-11-30T12:00:00.000Z");
    EXPECT_EQ(stamp(noon_day + 12h + 123ms), "2026-11-30T12:00:00.123Z");
    EXPECT_EQ(stamp(noon_day + 12h, 0), "2026-11-30T12:00:00Z");
    EXPECT_EQ(stamp(noon_day + 12h + 123ms, 0), "2026-11-30T12:00:00Z");
    EXPECT_EQ(stamp(noon_day + 12h, 6), "2026-11-30T12:00:00.000000Z");
    EXPECT_EQ(stamp(noon_day + 12h + 123456789ns, 9), "2026-11-30T12:00:00.123456789Z");
    EXPECT_EQ(stamp(noon_day + 12h + 123456789ns, 6), "2026-11-30T12:00:00.123456Z");
    EXPECT_EQ(stamp(noon_day + 12h + 123456789ns, 1), "2026-11-30T12:00:00.1Z");
    EXPECT_EQ(stamp(noon_day + 12h + 123456789ns, 99), "2026-11-30T12:00:00.123456789Z");
    EXPECT_EQ(stamp(sys_days(noon_day)), "2026-11-30T00:00:00.000Z");
}

TEST(ChronoFormatTest, WhatIsFinerIsCutTowardThePastOnBothSidesOfTheEpoch) {
    EXPECT_EQ(stamp(sys_time<nanoseconds>(1'999'999ns)), "1970-01-01T00:00:00.001Z");
    EXPECT_EQ(stamp(sys_time<nanoseconds>(-1ns)), "1969-12-31T23:59:59.999Z");
    EXPECT_EQ(stamp(sys_time<nanoseconds>(-1ns), 9), "1969-12-31T23:59:59.999999999Z");
    EXPECT_EQ(stamp(sys_time<milliseconds>(-1500ms)), "1969-12-31T23:59:58.500Z");
    EXPECT_EQ(stamp(sys_time<seconds>(-1s)), "1969-12-31T23:59:59.000Z");
    EXPECT_EQ(stamp(sys_time<nanoseconds>::min(), 9), "1677-09-21T00:12:43.145224192Z");
    EXPECT_EQ(stamp(sys_time<nanoseconds>::max(), 9), "2262-04-11T23:47:16.854775807Z");
}

TEST(ChronoFormatTest, YearsFrom0000To9999AreWrittenAndOthersReported) {
    const sys_days first = 0y / January / 1;
    const sys_days past = sys_days(9999y / December / 31) + days(1);
    EXPECT_EQ(stamp(first), "0000-01-01T00:00:00.000Z");
    EXPECT_EQ(stamp(first - 1ms), "out of range");
    EXPECT_EQ(stamp(past - 1us, 6), "9999-12-31T23:59:59.999999Z");
    EXPECT_EQ(stamp(past), "out of range");
    EXPECT_EQ(stamp(sys_seconds::max()), "out of range");
    EXPECT_EQ(stamp(sys_seconds::min()), "out of range");
    EXPECT_EQ(stamp(sys_time<duration<std::int64_t, years::period>>::max()), "out of range");
    EXPECT_EQ(stamp(sys_time<duration<std::int64_t, years::period>>::min()), "out of range");
    EXPECT_EQ(stamp(sys_time<duration<std::uint64_t>>::max()), "out of range");
}

TEST(ChronoFormatTest, AClockThatKnowsUnixTimeIsWrittenByIt) {
    const auto text = [](late_clock::time_point time) {
        return text_of(max_timestamp_size, [&](char* out) { return write_timestamp(out, time, 3); });
    };
    EXPECT_EQ(text(late_clock::time_point()), "1970-01-02T00:00:00.000Z");
    EXPECT_EQ(text(late_clock::time_point(-1ms)), "1970-01-01T23:59:59.999Z");
}

TEST(ChronoFormatTest, LeapDaysAreRight) {
    EXPECT_EQ(stamp(sys_days(2024y / February / 28) + days(1)), "2024-02-29T00:00:00.000Z");
    EXPECT_EQ(stamp(sys_days(1900y / February / 28) + days(1)), "1900-03-01T00:00:00.000Z");
    EXPECT_EQ(stamp(sys_days(2000y / February / 28) + days(1)), "2000-02-29T00:00:00.000Z");
}

TEST(ChronoFormatTest, EveryDayOfTenThousandYearsIsRight) {
    // Counted by the calendar's rules, not by division.
    sys_days day = 0y / January / 1;
    for (unsigned year = 0; year < 10'000; ++year) {
        const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        const unsigned month_days[] = {31, leap ? 29u : 28u, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
        for (unsigned month = 1; month <= 12; ++month) {
            char expected[40];
            std::snprintf(expected, sizeof expected, "%04u-%02u-00T00:00:00Z", year, month);
            for (unsigned date = 1; date <= month_days[month - 1]; ++date, day += days(1)) {
                expected[8] = static_cast<char>('0' + date / 10);
                expected[9] = static_cast<char>('0' + date % 10);
                char out[max_timestamp_size];
                ASSERT_EQ(write_timestamp(out, day, 0), out + 20);
                ASSERT_EQ(std::memcmp(out, expected, 20), 0) << expected;
            }
        }
    }
}

TEST(ChronoFormatTest, EverySecondOfADayIsRight) {
    for (unsigned second = 0; second < 86'400; ++second) {
        char expected[40];
        std::snprintf(expected, sizeof expected, "1969-12-30T%02u:%02u:%02uZ", second / 3600, second / 60 % 60,
                      second % 60);
        ASSERT_EQ(stamp(sys_seconds(seconds(static_cast<std::int64_t>(second) - 2 * 86'400)), 0), expected);
    }
}

TEST(ChronoFormatTest, AFloatingPointTimeIsRoundedToTheNanosecond) {
    using double_seconds = duration<double>;
    EXPECT_EQ(stamp(sys_time<double_seconds>(double_seconds(0.3)), 9), "1970-01-01T00:00:00.300000000Z");
    EXPECT_EQ(stamp(sys_time<double_seconds>(double_seconds(-0.25)), 3), "1969-12-31T23:59:59.750Z");
    EXPECT_EQ(stamp(sys_time<double_seconds>(double_seconds(0.9999999999)), 9), "1970-01-01T00:00:01.000000000Z");
    EXPECT_EQ(stamp(sys_time<duration<double, std::milli>>(duration<double, std::milli>(1'700'000'000'123.25)), 6),
              "2023-11-14T22:13:20.123250Z");
    using limits = std::numeric_limits<double>;
    for (const double bad : {limits::quiet_NaN(), limits::infinity(), -limits::infinity(), limits::max(), 1e12})
        EXPECT_EQ(stamp(sys_time<double_seconds>(double_seconds(bad))), "out of range") << bad;
}

TEST(ChronoFormatTest, DurationsAreHoursMinutesAndSeconds) {
    EXPECT_EQ(length(0s), "PT0S");
    EXPECT_EQ(length(1500ms), "PT1.5S");
    EXPECT_EQ(length(1s), "PT1S");
    EXPECT_EQ(length(90s), "PT1M30S");
    EXPECT_EQ(length(1min), "PT1M");
    EXPECT_EQ(length(48h), "PT48H");
    EXPECT_EQ(length(days(2)), "PT48H");
    EXPECT_EQ(length(1h + 1s), "PT1H0M1S");
    EXPECT_EQ(length(1h + 30min), "PT1H30M");
    EXPECT_EQ(length(1h + 1ms), "PT1H0M0.001S");
    EXPECT_EQ(length(1ns), "PT0.000000001S");
    EXPECT_EQ(length(years(1)), "PT8765H49M12S");
}

TEST(ChronoFormatTest, ANegativeDurationHasOneSignInFront) {
    EXPECT_EQ(length(-1500ms), "-PT1.5S");
    EXPECT_EQ(length(-250ms), "-PT0.25S");
    EXPECT_EQ(length(-1ns), "-PT0.000000001S");
    EXPECT_EQ(length(-1h - 1s), "-PT1H0M1S");
    EXPECT_EQ(length(duration<double>(-0.0)), "PT0S");
}

TEST(ChronoFormatTest, DurationsAreExactAtTheEdges) {
    EXPECT_EQ(length(nanoseconds::max()), "PT2562047H47M16.854775807S");
    EXPECT_EQ(length(nanoseconds::min()), "-PT2562047H47M16.854775808S");
    EXPECT_EQ(length(seconds::max()), "PT2562047788015215H30M7S");
    EXPECT_EQ(length(seconds::min()), "-PT2562047788015215H30M8S");
    EXPECT_EQ(length(duration<std::int64_t, std::atto>(std::numeric_limits<std::int64_t>::max())),
              "PT9.223372036854775807S");
    EXPECT_EQ(length(duration<std::int64_t, std::atto>(-1)), "-PT0.000000000000000001S");
    EXPECT_EQ(length(duration<std::uint64_t, std::nano>(std::numeric_limits<std::uint64_t>::max())),
              "PT5124095H34M33.709551615S");
    EXPECT_EQ(length(duration<std::uint64_t>(std::numeric_limits<std::uint64_t>::max())), "out of range");
    EXPECT_EQ(length(duration<std::int64_t, std::ratio<3600>>(std::numeric_limits<std::int64_t>::max())),
              "out of range");
    EXPECT_EQ(length(duration<std::int64_t, std::ratio<1001, 30'000>>(30'000)), "PT16M41S");
    EXPECT_EQ(length(duration<std::int64_t, std::ratio<1, 3>>(1)), "PT0.333333333333333333S");
    EXPECT_EQ(length(duration<std::int64_t, std::ratio<1, 64>>(1)), "PT0.015625S");
}

TEST(ChronoFormatTest, AFloatingPointDurationIsRoundedToTheNanosecond) {
    EXPECT_EQ(length(duration<double>(0.1)), "PT0.1S");
    EXPECT_EQ(length(duration<double>(-0.1)), "-PT0.1S");
    EXPECT_EQ(length(duration<float>(1.5f)), "PT1.5S");
    EXPECT_EQ(length(duration<double, std::ratio<60>>(0.5)), "PT30S");
    EXPECT_EQ(length(duration<double>(59.9999999999)), "PT1M");
    EXPECT_EQ(length(duration<double, std::atto>(1e18)), "PT1S");
    EXPECT_EQ(length(duration<double>(std::numeric_limits<double>::quiet_NaN())), "out of range");
    EXPECT_EQ(length(duration<double>(-std::numeric_limits<double>::infinity())), "out of range");
    EXPECT_EQ(length(duration<double>(0x1p63)), "out of range");
    EXPECT_EQ(length(duration<double, std::ratio<3600>>(1e30)), "out of range");
}

TEST(ChronoFormatTest, RandomDurationsAddUpToTheirNanoseconds) {
    std::mt19937_64 random(41);
    for (int i = 0; i < 100'000; ++i) {
        const auto count = static_cast<std::int64_t>(random() >> (random() % 63));
        const std::string text = length(nanoseconds(count));
        const std::uint64_t size =
            count < 0 ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
        std::uint64_t total = 0;
        std::size_t at = count < 0 ? 3 : 2;
        ASSERT_EQ(text.substr(0, at), count < 0 ? "-PT" : "PT");
        while (at < text.size()) {
            std::uint64_t number = 0;
            while (text[at] >= '0' && text[at] <= '9')
                number = number * 10 + static_cast<unsigned>(text[at++] - '0');
            if (text[at] == '.') {
                total += number * 1'000'000'000;
                std::uint64_t scale = 100'000'000;
                for (++at; text[at] != 'S'; scale /= 10)
                    total += scale * static_cast<unsigned>(text[at++] - '0');
                break;
            }
            total += number * (text[at] == 'H' ? 3'600'000'000'000 : text[at] == 'M' ? 60'000'000'000 : 1'000'000'000);
            ++at;
        }
        ASSERT_EQ(total, size) << text;
    }
}

} // namespace
