// Numbers through the templates: the locale, and the policy of integers.
#include "runner.hpp"
#include <sluice/sluice.hpp>

#include <boost/describe/class.hpp>
#include <gtest/gtest.h>

#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::test {

namespace {

template <class T>
std::string text(const T& value, json_options how = {}) {
    return to_string([&](slot out) { return out(value); }, how);
}

// A locale with a decimal comma, whatever is installed: LC_NUMERIC of "decimal_point ','" and "thousands_sep '.'" as
// glibc's localedef compiles it.
class comma_locale {
public:
    comma_locale() {
        using namespace std::literals;
        constexpr std::string_view numeric =
            "\x14\x11\x03\x20\x06\0\0\0\x20\0\0\0\x22\0\0\0\x24\0\0\0\x28\0\0\0\x2c\0\0\0\x30\0\0\0"
            ",\0.\0\x03\x03\0\0,\0\0\0.\0\0\0ANSI_X3.4-1968\0"sv;
        const std::string folder = ::testing::TempDir() + "sluice_locales";
        std::filesystem::create_directories(folder + "/comma");
        std::ofstream(folder + "/comma/LC_NUMERIC", std::ios::binary) << numeric;
        setenv("LOCPATH", folder.c_str(), 1);
        set_ = std::setlocale(LC_NUMERIC, "comma") != nullptr;
    }
    comma_locale(const comma_locale&) = delete;
    comma_locale& operator=(const comma_locale&) = delete;
    ~comma_locale() {
        std::setlocale(LC_NUMERIC, "C");
        unsetenv("LOCPATH");
    }
    bool set() const { return set_ && std::string_view(std::localeconv()->decimal_point) == ","; }

private:
    bool set_ = false;
};

struct ids {
    std::uint64_t id = 0;
    std::int8_t small = 0;
};
BOOST_DESCRIBE_STRUCT(ids, (), (id, small))

} // namespace

// ENC 27: json-serializer#18
TEST(NumberValuesTest, NumbersDoNotDependOnTheLocale) {
    const comma_locale comma;
    ASSERT_TRUE(comma.set());
    const std::string one = text(1.0, json_options().whole_doubles_as_decimals(true));
    const std::string half = text(1.5);
    const std::string million = text(1234567);
    EXPECT_EQ(one, "1.0");
    EXPECT_EQ(half, "1.5");
    EXPECT_EQ(million, "1234567");
}

// ENC 29: what JavaScript would round
TEST(NumberValuesTest, IntegersBeyondADoubleAreStringsByPolicy) {
    const json_options unsafe = json_options().integers(integer_policy::string_when_unsafe);
    const std::int64_t most_safe = (std::int64_t{1} << 53) - 1;
    EXPECT_EQ(text(most_safe, unsafe), "9007199254740991");
    EXPECT_EQ(text(most_safe + 1, unsafe), R"("9007199254740992")");
    EXPECT_EQ(text(-most_safe, unsafe), "-9007199254740991");
    EXPECT_EQ(text(-most_safe - 1, unsafe), R"("-9007199254740992")");
    EXPECT_EQ(text(std::numeric_limits<std::int64_t>::max(), unsafe), R"("9223372036854775807")");
    EXPECT_EQ(text(std::numeric_limits<std::int64_t>::min(), unsafe), R"("-9223372036854775808")");
    EXPECT_EQ(text(std::uint64_t{1} << 63, unsafe), R"("9223372036854775808")");
    EXPECT_EQ(text(std::numeric_limits<std::uint64_t>::max(), unsafe), R"("18446744073709551615")");
    EXPECT_EQ(text(std::int64_t{1} << 62), "4611686018427387904");
    const json_options always = json_options().integers(integer_policy::string);
    EXPECT_EQ(text(0, always), R"("0")");
    EXPECT_EQ(text(std::vector<short>{-1, 2}, always), R"(["-1","2"])");
    // Nothing but integers.
    EXPECT_EQ(text(1.5, always), "1.5");
    EXPECT_EQ(text(true, always), "true");
    EXPECT_EQ(text(nullptr, always), "null");
    const ids value{std::numeric_limits<std::uint64_t>::max(), 7};
    EXPECT_EQ(text(value, unsafe), R"({"id":"18446744073709551615","small":7})");
    const std::string every_form = to_string(
        [&](slot out) -> task<> {
            auto json = out.object();
            co_await json("a", value.id);
            co_await json["b"](value.id);
            co_await json.put([&](auto& members) { members("c", value.id); });
            auto list = json["d"].array();
            co_await list.list(value.id);
        },
        unsafe);
    EXPECT_EQ(every_form, R"({"a":"18446744073709551615","b":"18446744073709551615","c":"18446744073709551615",)"
                          R"("d":["18446744073709551615"]})");
}

// ENC 18, in every form: not one byte of the member goes out.
TEST(NumberValuesTest, ANumberThatIsNotFiniteFailsBeforeItsCommaInEveryForm) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto sent = [](content what) {
        const outcome came = render_at_once(std::move(what), {}, 1, 1);
        EXPECT_EQ(came.result.error, errc::not_finite);
        return came.bytes;
    };
    EXPECT_EQ(sent([&](slot out) -> task<> {
                  auto json = out.object();
                  co_await json("a", 1);
                  co_await json["b"](nan);
              }),
              R"({"a":1)");
    EXPECT_EQ(sent([&](slot out) -> task<> {
                  auto json = out.object();
                  co_await json("a", 1);
                  co_await json("b", static_cast<float>(nan));
              }),
              R"({"a":1)");
    EXPECT_EQ(sent([&](slot out) -> task<> {
                  auto json = out.object();
                  co_await json("a", 1);
                  co_await json.put([&](auto& members) { members("b", nan); });
              }),
              R"({"a":1)");
    EXPECT_EQ(sent([&](slot out) -> task<> {
                  auto list = out.array();
                  co_await list.list(1);
                  co_await list.list(nan);
              }),
              "[1");
    EXPECT_EQ(sent([&](slot out) -> task<> {
                  const std::vector<double> some = {1, nan};
                  auto list = out.array();
                  co_await list.merge(some);
              }),
              "[1");
}

} // namespace sluice::test
