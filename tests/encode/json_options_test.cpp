#include <sluice/encode/json_options.hpp>

#include <gtest/gtest.h>

#include <type_traits>

namespace {

using sluice::absent_policy;
using sluice::invalid_utf8_policy;
using sluice::json_options;
using sluice::non_finite_policy;

static_assert(std::is_trivially_copyable_v<json_options> && !std::is_aggregate_v<json_options>);
static_assert(sizeof(json_options) <= 8);

TEST(JsonOptionsTest, DefaultsAreThoseOfAnApi) {
    constexpr json_options options;
    EXPECT_FALSE(options.html_safe());
    EXPECT_EQ(options.invalid_utf8(), invalid_utf8_policy::replace);
    EXPECT_EQ(options.non_finite(), non_finite_policy::error);
    EXPECT_FALSE(options.whole_doubles_as_decimals());
    EXPECT_EQ(options.indent(), 0u);
    EXPECT_EQ(options.absent(), absent_policy::null);
    EXPECT_EQ(options.timestamp_digits(), 3u);
}

TEST(JsonOptionsTest, SettersChainAndEachSetsItsOwn) {
    constexpr json_options options = json_options()
                                         .html_safe(true)
                                         .invalid_utf8(invalid_utf8_policy::error)
                                         .non_finite(non_finite_policy::null)
                                         .whole_doubles_as_decimals(true)
                                         .indent(2)
                                         .absent(absent_policy::omit)
                                         .timestamp_digits(6);
    EXPECT_TRUE(options.html_safe());
    EXPECT_EQ(options.invalid_utf8(), invalid_utf8_policy::error);
    EXPECT_EQ(options.non_finite(), non_finite_policy::null);
    EXPECT_TRUE(options.whole_doubles_as_decimals());
    EXPECT_EQ(options.indent(), 2u);
    EXPECT_EQ(options.absent(), absent_policy::omit);
    EXPECT_EQ(options.timestamp_digits(), 6u);
}

TEST(JsonOptionsTest, EveryChoiceTakesPartInEquality) {
    constexpr json_options plain;
    EXPECT_EQ(plain, json_options());
    EXPECT_NE(plain, json_options().html_safe(true));
    EXPECT_NE(plain, json_options().invalid_utf8(invalid_utf8_policy::error));
    EXPECT_NE(plain, json_options().non_finite(non_finite_policy::null));
    EXPECT_NE(plain, json_options().whole_doubles_as_decimals(true));
    EXPECT_NE(plain, json_options().indent(1));
    EXPECT_NE(plain, json_options().absent(absent_policy::omit));
    EXPECT_NE(plain, json_options().timestamp_digits(0));
}

TEST(JsonOptionsTest, NumbersOutOfRangeCountAsTheLargest) {
    EXPECT_EQ(json_options().indent(1000).indent(), json_options::max_indent);
    EXPECT_EQ(json_options().timestamp_digits(256).timestamp_digits(), 9u);
}

} // namespace
