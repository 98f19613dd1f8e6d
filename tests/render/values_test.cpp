// What each kind of value comes out as, through the DSL; the reports are those of other libraries.
#include "json_reader.hpp"
#include "runner.hpp"
#include <sluice/coro/sync_wait.hpp>
#include <sluice/output/callback_sink.hpp>
#include <sluice/render/write.hpp>
#include <sluice/sluice.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <ranges>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

namespace sluice::test {

namespace {

// A document that is this value.
template <class T>
std::string text(const T& value, render_options options = {}) {
    return to_string([&](slot out) { return out(value); }, options);
}

json_options strict() {
    return json_options().invalid_utf8(invalid_utf8_policy::error);
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

enum class colour { red, green };
BOOST_DESCRIBE_ENUM(colour, red, green)

struct point {
    point() = default;
    point(int a, int b) : x(a), y(b) {}
    int x = 0;
    int y = 0;
};
BOOST_DESCRIBE_STRUCT(point, (), (x, y))

struct named_point : point {
    std::string name;
    std::optional<std::string> note;
};
BOOST_DESCRIBE_STRUCT(named_point, (point), (name, note))

struct tree {
    int n = 0;
    std::vector<tree> children;
};
BOOST_DESCRIBE_STRUCT(tree, (), (n, children))

struct money {
    int cents = 0;
};
task<> sluice_write(slot out, const money& value) {
    auto json = out.object();
    co_await json("cents", value.cents);
}

struct celsius {
    double degrees = 0;
};
auto sluice_write(slot out, const celsius& value) {
    return out(value.degrees);
}

struct shop {
    std::vector<money> prices;
    std::optional<money> best;
    std::map<std::string, money> by_name;
    std::variant<int, money> other;
    std::pair<int, money> both;
};
BOOST_DESCRIBE_STRUCT(shop, (), (prices, best, by_name, other, both))

} // namespace

// ENC 18: rapidjson#972, #810
TEST(ValuesTest, NonFiniteNumbersFailBeforeTheirCommaAndKey) {
    for (const double bar : {infinity, -infinity, nan}) {
        std::string sent;
        callback_sink sink([&](std::string_view bytes) {
            sent += bytes;
            return std::error_code();
        });
        // With a mark of 1 whatever is written before goes to the sink at once.
        const auto result = coro::sync_wait(render(
            sink,
            [&](slot out) -> task<> {
                auto json = out.object();
                co_await json("foo", 3.14);
                co_await json("bar", bar);
                co_await json("baz", 345);
            },
            output_options().high_water(1)));
        EXPECT_EQ(result.error, errc::not_finite);
        EXPECT_EQ(sent, R"({"foo":3.14)");
        EXPECT_NE(result.message().find("$.bar"), std::string::npos) << result.message();
    }
}

// ENC 18, 19 (rapidjson#509), 20 (Boost.JSON#397)
TEST(ValuesTest, NonFiniteNumbersAreNullByPolicy) {
    const json_options options = json_options().non_finite(non_finite_policy::null);
    for (const double bar : {infinity, -infinity, nan}) {
        const std::string written = to_string(
            [&](slot out) -> task<> {
                auto json = out.object();
                co_await json("foo", 3.14);
                co_await json("bar", bar);
                co_await json("baz", 345);
                const std::vector<double> list = {bar, 1.5};
                co_await json("list", list);
                co_await json.put([&](auto& members) { members("put", static_cast<float>(bar)); });
            },
            options);
        EXPECT_EQ(written, R"({"foo":3.14,"bar":null,"baz":345,"list":[null,1.5],"put":null})");
    }
}

// ENC 21 (cereal#285), 22 (nlohmann#360), 24 (rapidjson#289)
TEST(ValuesTest, DoublesAreTheShortestThatComeBack) {
    EXPECT_EQ(text(1e-20), "1e-20");
    EXPECT_EQ(text(0.9868011474609375), "0.9868011474609375");
    EXPECT_EQ(text(0.1), "0.1");
    EXPECT_EQ(text(0.2), "0.2");
    EXPECT_EQ(text(1.2345), "1.2345");
    EXPECT_EQ(text(-0.0).substr(0, 2), "-0");
    for (const double value : {5e-324, 1.7976931348623157e308, 1e308, -0.0, 1e22, 123456789012345680.0}) {
        const std::string written = text(value);
        EXPECT_TRUE(is_json(written)) << written;
        EXPECT_EQ(std::strtod(written.c_str(), nullptr), value) << written;
        EXPECT_EQ(std::signbit(std::strtod(written.c_str(), nullptr)), std::signbit(value));
    }
    EXPECT_LE(text(5e-324).size(), 6U);
}

// ENC 25: gson#1127
TEST(ValuesTest, FloatsHaveTheDigitsOfAFloat) {
    EXPECT_EQ(text(3.723379F), "3.723379");
    EXPECT_EQ(text(0.1F), "0.1");
    EXPECT_EQ(text(std::vector<float>{0.1F, 16.5F}), "[0.1,16.5]");
}

// ENC 28 (nlohmann#2578), 29 (crow#118)
TEST(ValuesTest, IntegersAreExactAtTheirEdges) {
    EXPECT_EQ(text(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
    EXPECT_EQ(text(std::int64_t{0x7fff'ffff'ffff'ffff}), "9223372036854775807");
    EXPECT_EQ(text(std::uint64_t{1} << 63), "9223372036854775808");
    EXPECT_EQ(text(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
    EXPECT_EQ(text(std::numeric_limits<std::int32_t>::min()), "-2147483648");
    EXPECT_EQ(text(std::numeric_limits<std::uint32_t>::max()), "4294967295");
    EXPECT_EQ(text(std::numeric_limits<std::int16_t>::min()), "-32768");
    EXPECT_EQ(text(std::numeric_limits<std::int8_t>::min()), "-128");
    EXPECT_EQ(text(std::numeric_limits<std::uint8_t>::max()), "255");
    EXPECT_EQ(text(std::numeric_limits<long long>::min()), "-9223372036854775808");
    EXPECT_EQ(text(std::numeric_limits<unsigned long>::max()), "18446744073709551615");
}

// ENC 30 (nlohmann#802), 31 (nlohmann#1383, #4213, #1365), 33 (nlohmann#4552)
TEST(ValuesTest, InvalidUtf8IsReplacedAndNothingThrows) {
    EXPECT_EQ(text("\xff"), "\"\xef\xbf\xbd\"");
    EXPECT_EQ(text("\xc7\xc3\x4f"), "\"\xef\xbf\xbd\xef\xbf\xbdO\"");
    EXPECT_EQ(text("\xc1"), "\"\xef\xbf\xbd\"");
    EXPECT_EQ(text("resum\xe8"), "\"resum\xef\xbf\xbd\"");
    EXPECT_EQ(text("test\xdc\x05"), "\"test\xef\xbf\xbd\\u0005\"");
}

TEST(ValuesTest, InvalidUtf8FailsBeforeTheOpeningQuoteWhenStrict) {
    const std::vector<std::string> wrong = {
        "\xff",         "\xc7\xc3\x4f", "\xc1", "resum\xe8", std::string(100'000, 'a') + "\xe8",
        "test\xdc\x05", "\xed\xa0\x80"};
    for (const std::string& value : wrong) {
        for (const bool as_key : {false, true}) {
            const outcome came = render_at_once(
                [&](slot out) -> task<> {
                    auto json = out.object();
                    co_await json("a", 1);
                    if (as_key)
                        co_await json(value, 1);
                    else
                        co_await json("text", value);
                },
                strict(), 64, 1);
            EXPECT_EQ(came.result.error, errc::invalid_utf8);
            EXPECT_EQ(came.bytes, R"({"a":1)");
        }
    }
    EXPECT_EQ(text("caf\xc3\xa9", strict()), "\"caf\xc3\xa9\"");
}

// ENC 35 (simdjson#2424), 37 (jsoncpp#1175)
TEST(ValuesTest, EveryControlByteIsEscaped) {
    for (int byte = 0; byte < 0x20; ++byte) {
        char expected[8];
        std::snprintf(expected, sizeof expected, "\\u%04x", static_cast<unsigned>(byte));
        std::string escaped = expected;
        if (const std::size_t index = std::string_view("\b\f\n\r\t").find(static_cast<char>(byte));
            byte != 0 && index != std::string_view::npos)
            escaped = std::string("\\") + "bfnrt"[index];
        EXPECT_EQ(text(std::string(1, static_cast<char>(byte))), "\"" + escaped + "\"");
    }
    EXPECT_EQ(text("\x01\x02\x03\x10"), R"("\u0001\u0002\u0003\u0010")");
}

// ENC 36: glaze#812, #2807
TEST(ValuesTest, ShortAndLongStringsAreEscapedAlike) {
    EXPECT_EQ(text("\x1f"), R"("\u001f")");
    std::string nuls;
    for (int i = 0; i < 1000; ++i)
        nuls += "\\u0000";
    EXPECT_EQ(text(std::string(1000, '\0')), "\"" + nuls + "\"");
    for (const std::size_t size : {31U, 32U, 33U, 5000U}) {
        for (std::size_t at = 0; at < std::min<std::size_t>(size, 64); ++at) {
            std::string value(size, 'x');
            value[at] = '\x1f';
            const std::string expected =
                "\"" + std::string(at, 'x') + "\\u001f" + std::string(size - at - 1, 'x') + "\"";
            ASSERT_EQ(text(value), expected);
            ASSERT_EQ(render_at_once([&](slot out) -> task<> { co_await out(value); }, {}, 16, 16).bytes, expected);
        }
    }
}

// ENC 39: go#34070, #34804
TEST(ValuesTest, HtmlSafetyIsOnePolicyForValuesKeysAndLiterals) {
    const std::string raw = "<a>&\xe2\x80\xa8\xe2\x80\xa9";
    const std::string safe = R"(\u003ca\u003e\u0026\u2028\u2029)";
    const auto document = [&](slot out) -> task<> {
        auto json = out.object();
        co_await json(raw, raw);
        co_await json("<a>&", raw);
        co_await json[std::string(raw)](std::string(raw));
        auto text = json["w"].string();
        for (const char& c : raw)
            co_await text(std::string_view(&c, 1));
    };
    EXPECT_EQ(to_string(document, json_options().html_safe(true)),
              "{\"" + safe + "\":\"" + safe + "\",\"\\u003ca\\u003e\\u0026\":\"" + safe + "\",\"" + safe + "\":\"" +
                  safe + "\",\"w\":\"" + safe + "\"}");
    // What is spliced is ready: it is written as it is given.
    const std::string spliced =
        to_string([&](slot out) { return out.splice("\"" + raw + "\""); }, json_options().html_safe(true));
    EXPECT_EQ(spliced, "\"" + raw + "\"");
    // A string over several chunks.
    std::string long_raw, long_safe;
    for (int i = 0; i < 3000; ++i) {
        long_raw += raw;
        long_safe += safe;
    }
    EXPECT_EQ(text(long_raw, json_options().html_safe(true)), "\"" + long_safe + "\"");
    EXPECT_EQ(to_string(document), "{\"" + raw + "\":\"" + raw + "\",\"<a>&\":\"" + raw + "\",\"" + raw + "\":\"" +
                                       raw + "\",\"w\":\"" + raw + "\"}");
}

// ENC 40: go#48876
TEST(ValuesTest, NothingFollowsTheDocument) {
    EXPECT_EQ(text(std::vector<int>{}), "[]");
    EXPECT_EQ(text(1), "1");
    EXPECT_EQ(text(point(1, 2), json_options().indent(2)), "{\n  \"x\": 1,\n  \"y\": 2\n}");
}

// ENC 41: turbostreamer#24
TEST(ValuesTest, TimestampsHaveTheConfiguredDigitsAlways) {
    using namespace std::chrono;
    const sys_time<milliseconds> whole = sys_days(year(2026) / 11 / 30) + hours(12);
    const auto part = whole + milliseconds(123);
    EXPECT_EQ(text(whole), R"("2026-11-30T12:00:00.000Z")");
    EXPECT_EQ(text(part), R"("2026-11-30T12:00:00.123Z")");
    EXPECT_EQ(text(whole, json_options().timestamp_digits(0)), R"("2026-11-30T12:00:00Z")");
    EXPECT_EQ(text(part, json_options().timestamp_digits(0)), R"("2026-11-30T12:00:00Z")");
    EXPECT_EQ(text(whole, json_options().timestamp_digits(6)), R"("2026-11-30T12:00:00.000000Z")");
    EXPECT_EQ(text(part, json_options().timestamp_digits(6)), R"("2026-11-30T12:00:00.123000Z")");
    EXPECT_TRUE(is_json(text(seconds(90))));
}

TEST(ValuesTest, EveryByteAtEveryOffsetIsRightAsValueAndAsKey) {
    for (int byte = 0; byte < 256; ++byte) {
        for (std::size_t offset = 0; offset <= 40; ++offset) {
            std::string value(offset, 'k');
            value += static_cast<char>(byte);
            value += std::string((offset * 7) % 20, 'z');
            const std::string written = to_string([&](slot out) -> task<> {
                auto json = out.object();
                co_await json(value, value);
            });
            json_reader reader(written);
            ASSERT_TRUE(reader.read()) << byte << " at " << offset;
            std::string expected = value;
            if (byte >= 0x80)
                expected.replace(offset, 1, "\xef\xbf\xbd");
            ASSERT_EQ(reader.scalars().size(), 1U);
            ASSERT_EQ(json_reader::string_value(reader.scalars()[0].token), expected);
            ASSERT_EQ(reader.scalars()[0].path, "$." + expected);
        }
    }
}

TEST(ValuesTest, EveryKindOfValueIsWritten) {
    EXPECT_EQ(text(true), "true");
    EXPECT_EQ(text(nullptr), "null");
    EXPECT_EQ(text(std::nullopt), "null");
    EXPECT_EQ(text('x'), "\"x\"");
    EXPECT_EQ(text('"'), R"("\"")");
    EXPECT_EQ(text(std::vector<char>{'a', '\n'}), R"(["a","\n"])");
    EXPECT_EQ(text(std::string_view("view")), "\"view\"");
    EXPECT_EQ(text(static_cast<const char*>(nullptr)), "null");
    EXPECT_EQ(text(colour::green), "\"green\"");
    EXPECT_EQ(text(std::optional<int>(3)), "3");
    EXPECT_EQ(text(std::optional<int>()), "null");
    EXPECT_EQ(text(std::variant<int, std::string, std::monostate>("v")), "\"v\"");
    EXPECT_EQ(text(std::variant<int, std::monostate>(std::monostate())), "null");
    EXPECT_EQ(text(std::pair(1, "b")), R"([1,"b"])");
    EXPECT_EQ(text(std::tuple(1, 2.5, std::string("c"), colour::red)), R"([1,2.5,"c","red"])");
    EXPECT_EQ(text(std::tuple<>()), "[]");
    EXPECT_EQ(text(std::map<std::string, int>{{"a", 1}, {"b", 2}}), R"({"a":1,"b":2})");
    EXPECT_EQ(text(std::unordered_map<std::string, bool>{{"a", false}}), R"({"a":false})");
    EXPECT_EQ(text(std::vector<bool>{true, false}), "[true,false]");
    EXPECT_EQ(text(std::array<int, 3>{1, 2, 3}), "[1,2,3]");
    EXPECT_EQ(text(std::set<std::string>{"b", "a"}), R"(["a","b"])");
    EXPECT_EQ(text(std::list<std::vector<int>>{{1}, {}, {2, 3}}), "[[1],[],[2,3]]");
    EXPECT_EQ(text(std::vector<std::optional<std::string>>{"a", std::nullopt}), R"(["a",null])");
    EXPECT_EQ(text(tree{1, {{2, {}}, {3, {{4, {}}}}}}),
              R"({"n":1,"children":[{"n":2,"children":[]},{"n":3,"children":[{"n":4,"children":[]}]}]})");
}

TEST(ValuesTest, ViewsAreWrittenAsLvaluesAndAsTemporaries) {
    const std::vector<int> numbers = {1, 2, 3, 4, 5};
    EXPECT_EQ(to_string([&](slot out) -> task<> {
                  auto odd = numbers | std::views::filter([](int n) { return n % 2 != 0; });
                  auto list = out.array();
                  co_await list.list(odd);
                  co_await list.list(numbers | std::views::transform([](int n) { return std::to_string(n * n); }));
                  co_await list.list(odd | std::views::transform([](int n) { return n + 0.5; }));
                  co_await list.list(std::views::iota(0, 3));
                  co_await list.list(std::span(numbers).first(2));
              }),
              R"([[1,3,5],["1","4","9","16","25"],[1.5,3.5,5.5],[0,1,2],[1,2]])");
}

TEST(ValuesTest, TypesOfTheUsersOwnAreWrittenByTheirFunctionWhereverTheyStand) {
    const shop all{{{1}, {2}}, money{3}, {{"a", {4}}}, money{5}, {6, {7}}};
    EXPECT_EQ(text(all), R"({"prices":[{"cents":1},{"cents":2}],"best":{"cents":3},"by_name":{"a":{"cents":4}},)"
                         R"("other":{"cents":5},"both":[6,{"cents":7}]})");
    EXPECT_EQ(text(shop{}), R"({"prices":[],"best":null,"by_name":{},"other":0,"both":[0,{"cents":0}]})");
    EXPECT_EQ(to_string([](slot out) -> task<> {
                  auto json = out.object();
                  const money price{3};
                  co_await json("price", price);
                  const celsius warm{21.5};
                  co_await json("warm", warm);
                  co_await json.put([](auto& members) { members("put", celsius{1.5}); });
              }),
              R"({"price":{"cents":3},"warm":21.5,"put":1.5})");
}

// What is written whole, and what opens round it, fits past the mark whatever its size.
TEST(ValuesTest, AnAwaitedValueOfEverySizeIsWrittenBehindOpenings) {
    for (std::size_t size = 0; size < 1000; size += 3) {
        const named_point value{{1, 2}, std::string(size, '\x01'), {}};
        const outcome came = render_at_once(
            [&](slot out) -> task<> {
                auto first = out.object();
                auto second = first["a member"].object();
                auto third = second[std::string(500, 'k')].array();
                auto fourth = third.next().object();
                co_await fourth("value", value);
            },
            {}, 1, 1);
        ASSERT_EQ(came.result.message(), "") << size;
        ASSERT_TRUE(is_json(came.bytes)) << size;
    }
}

TEST(ValuesTest, LargeValuesAreWrittenInPartsWhateverHoldsThem) {
    named_point place;
    place.name = std::string(50'000, 'n');
    place.note = std::string(20'000, '\n');
    std::map<std::string, std::variant<int, std::string>> entries = {{"long", std::string(9'000, 'v')}, {"short", 1}};
    const std::tuple<int, std::string> both(1, std::string(10'000, 't'));
    const std::vector<std::vector<double>> matrix(40, std::vector<double>(200, -1.2345678901234567e-300));
    const auto document = [&](slot out) -> task<> {
        auto json = out.object();
        co_await json("place", place);
        co_await json("entries", entries);
        co_await json("both", both);
        co_await json("matrix", matrix);
    };
    const std::string whole = to_string(document);
    json_reader reader(whole);
    ASSERT_TRUE(reader.read());
    EXPECT_EQ(reader.scalars().size(), 4U + 2 + 2 + 40 * 200);
    for (const std::size_t chunk : {1U, 5U, 64U, 4096U}) {
        const outcome came = render_slowly(document, {}, chunk, 2 * chunk, 1000);
        EXPECT_EQ(came.result.message(), "");
        EXPECT_TRUE(came.bytes == whole);
        EXPECT_LE(came.peak, 3 * chunk + 4096);
    }
}

TEST(ValuesTest, LongKeysAreCountedWithTheirValues) {
    const std::string key(340, '\x01'); // 2,040 bytes when it is escaped
    const std::map<std::string, std::vector<double>> map = {{key, std::vector<double>(150, -1.2345678901234567e-300)}};
    const outcome came = render_slowly([&](slot out) -> task<> { co_await out(map); }, {}, 1, 1, 100);
    EXPECT_EQ(came.result.message(), "");
    EXPECT_TRUE(is_json(came.bytes));
}

TEST(ValuesTest, PrettyDocumentsHaveALineForEachMember) {
    const auto document = [](slot out) -> task<> {
        auto json = out.object();
        co_await json("a", 1);
        {
            auto empty = json["empty"].object();
        }
        const std::vector<int> list = {1, 2};
        co_await json("list", list);
        {
            auto text = json["text"].string();
            co_await text("x");
        }
        auto inner = json["inner"].object();
        co_await inner("b", point(1, 2));
        co_await inner("none", std::vector<int>());
    };
    const std::string expected = R"({
  "a": 1,
  "empty": {},
  "list": [
    1,
    2
  ],
  "text": "x",
  "inner": {
    "b": {
      "x": 1,
      "y": 2
    },
    "none": []
  }
})";
    EXPECT_EQ(to_string(document, json_options().indent(2)), expected);
    for (std::size_t chunk = 1; chunk < 40; ++chunk)
        EXPECT_EQ(render_slowly(document, json_options().indent(2), chunk, 1, 3).bytes, expected);
}

TEST(ValuesTest, PrettyDocumentsKeepTheMarkHoweverDeepTheyAre) {
    const std::vector<int> numbers(100, 7);
    const std::function<task<>(slot, int)> nest = [&](slot out, int levels) -> task<> {
        if (levels == 0) {
            co_await out(numbers);
            co_return;
        }
        auto list = out.array();
        co_await nest(list.next(), levels - 1);
    };
    const outcome came =
        render_slowly([&](slot out) { return nest(std::move(out), 15); }, json_options().indent(16), 64, 64, 1000);
    EXPECT_EQ(came.result.message(), "");
    EXPECT_TRUE(is_json(came.bytes));
    EXPECT_LE(came.peak, 64U + 64 + 4096);
}

} // namespace sluice::test
