#include <sluice/duration.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <ratio>

namespace sluice {
namespace {

using namespace std::chrono;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

TEST(DurationTest, WholeNanosecondsOfEveryUnit) {
    EXPECT_EQ(nanoseconds_of(nanoseconds(-7)), -7);
    EXPECT_EQ(nanoseconds_of(milliseconds(5)), 5'000'000);
    EXPECT_EQ(nanoseconds_of(hours(2)), 7'200'000'000'000);
    EXPECT_EQ(nanoseconds_of(duration<int, std::ratio<1, 3>>(1)), 333'333'333);
    EXPECT_EQ(nanoseconds_of(duration<int, std::pico>(-1'999)), -1);
    EXPECT_EQ(nanoseconds_of(duration<unsigned char>(255)), 255'000'000'000);
    EXPECT_EQ(nanoseconds_of(duration<double>(1.5)), 1'500'000'000);
    EXPECT_EQ(nanoseconds_of(duration<float, std::milli>(-0.5F)), -500'000);
}

TEST(DurationTest, WhatDoesNotFitIsTheGreatestOrTheLeast) {
    EXPECT_EQ(nanoseconds_of(nanoseconds::max()), most);
    EXPECT_EQ(nanoseconds_of(nanoseconds::min()), least);
    EXPECT_EQ(nanoseconds_of(seconds(9'223'372'036)), 9'223'372'036'000'000'000);
    EXPECT_EQ(nanoseconds_of(seconds(9'223'372'037)), most);
    EXPECT_EQ(nanoseconds_of(seconds(-9'223'372'037)), least);
    EXPECT_EQ(nanoseconds_of(hours::max()), most);
    EXPECT_EQ(nanoseconds_of(years::min()), least);
    EXPECT_EQ(nanoseconds_of(duration<double>(std::numeric_limits<double>::infinity())), most);
    EXPECT_EQ(nanoseconds_of(duration<double>(-1e300)), least);
    EXPECT_EQ(nanoseconds_of(duration<double>(std::numeric_limits<double>::quiet_NaN())), 0);
}

} // namespace
} // namespace sluice
