// Values that are not there: null, or left out with their key.
#include "expect_failure.hpp"
#include "runner.hpp"
#include <sluice/sluice.hpp>

#include <boost/describe/class.hpp>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sluice::test {

namespace {

struct place {
    std::string name;
    std::optional<std::string> note;
};
BOOST_DESCRIBE_STRUCT(place, (), (name, note))

// Which of three members are there: a bit each.
struct three {
    std::optional<int> a, b, c;
};
BOOST_DESCRIBE_STRUCT(three, (), (a, b, c))

three with(unsigned present) {
    const auto maybe = [&](unsigned bit) { return (present & bit) != 0 ? std::optional<int>(1) : std::nullopt; };
    three made;
    made.a = maybe(1);
    made.b = maybe(2);
    made.c = maybe(4);
    return made;
}

std::string expected(unsigned present, bool omitted) {
    std::string text = "{";
    for (unsigned i = 0; i < 3; ++i) {
        const bool there = (present & 1U << i) != 0;
        if (!there && omitted)
            continue;
        if (text.size() > 1)
            text += ',';
        text += std::string("\"") + static_cast<char>('a' + i) + "\":" + (there ? "1" : "null");
    }
    return text + '}';
}

} // namespace

TEST(AbsentTest, AbsentMembersAreNullOrLeftOutAndAbsentElementsAreNull) {
    // SPL 12: bfj#25
    const auto document = [](slot out) -> task<> {
        auto json = out.object();
        co_await json("count", 1);
        co_await json("email", std::optional<std::string>());
        co_await json("pointer", static_cast<const char*>(nullptr));
        co_await json("number", std::optional<int>());
        co_await json.put([](auto& members) {
            members("put", std::optional<int>());
            members("text", static_cast<const char*>(nullptr));
        });
        co_await json("point", std::optional<place>());
        const std::vector<std::optional<int>> list = {1, std::nullopt};
        co_await json("list", list);
        const place with;
        co_await json("with", with);
        co_await json("wait", 600);
    };
    EXPECT_EQ(to_string(document, json_options().absent(absent_policy::omit)),
              R"({"count":1,"list":[1,null],"with":{"name":""},"wait":600})");
    EXPECT_EQ(to_string(document),
              R"({"count":1,"email":null,"pointer":null,"number":null,"put":null,"text":null,"point":null,)"
              R"("list":[1,null],"with":{"name":"","note":null},"wait":600})");
}

// SPL 12, wherever the absent member stands and however it is written.
TEST(AbsentTest, NoCommaIsLeftWhereverAnAbsentMemberStands) {
    for (unsigned present = 0; present < 8; ++present) {
        for (const bool omitted : {false, true}) {
            const json_options how = json_options().absent(omitted ? absent_policy::omit : absent_policy::null);
            const three value = with(present);
            SCOPED_TRACE(expected(present, omitted));
            const std::string each = to_string(
                [&](slot out) -> task<> {
                    auto json = out.object();
                    co_await json("a", value.a);
                    co_await json("b", value.b);
                    co_await json("c", value.c);
                },
                how);
            EXPECT_EQ(each, expected(present, omitted));
            const std::string slots = to_string(
                [&](slot out) -> task<> {
                    auto json = out.object();
                    co_await json["a"](value.a);
                    co_await json["b"](value.b);
                    co_await json["c"](value.c);
                },
                how);
            EXPECT_EQ(slots, expected(present, omitted));
            const std::string put = to_string(
                [&](slot out) -> task<> {
                    auto json = out.object();
                    co_await json.put([&](auto& members) {
                        members("a", value.a);
                        members("b", value.b);
                        members("c", value.c);
                    });
                },
                how);
            EXPECT_EQ(put, expected(present, omitted));
            const std::string merged = to_string(
                [&](slot out) -> task<> {
                    auto json = out.object();
                    co_await json.merge(value);
                },
                how);
            EXPECT_EQ(merged, expected(present, omitted));
            EXPECT_EQ(to_string([&](slot out) { return out(value); }, how), expected(present, omitted));
        }
    }
}

TEST(AbsentTest, AnAbsentElementIsNullInEveryForm) {
    const std::optional<int> none;
    const std::string text = to_string(
        [&](slot out) -> task<> {
            auto list = out.array();
            co_await list.list(none);
            co_await list.next()(none);
            co_await list.put([&](auto& elements) { elements(none); });
            const std::vector<std::optional<int>> more = {none, 1};
            co_await list.merge(more);
            co_await list.next().each(more, [](slot element, const std::optional<int>& n) { return element(n); });
        },
        json_options().absent(absent_policy::omit));
    EXPECT_EQ(text, "[null,null,null,null,1,[null,1]]");
}

TEST(AbsentTest, AMembersOwnPolicyComesFirst) {
    const std::optional<int> none;
    const std::optional<std::vector<int>> no_list;
    const auto document = [&](slot out) -> task<> {
        auto json = out.object();
        co_await json("a", none, absent_policy::omit);
        co_await json("b", none, absent_policy::null);
        co_await json["c"](none, absent_policy::omit);
        co_await json["d"](no_list, absent_policy::null);
        co_await json("e", no_list, absent_policy::omit);
        co_await json("f", static_cast<const char*>(nullptr), absent_policy::omit);
        co_await json("g", std::optional<std::string>(), absent_policy::null);
        co_await json("h", std::optional<int>(1), absent_policy::omit);
        co_await json("i", static_cast<const char*>("there"), absent_policy::error);
        co_await json.put([&](auto& members) {
            members("j", none, absent_policy::omit);
            members("k", none, absent_policy::null);
            members("l", std::optional<int>(2), absent_policy::error);
        });
    };
    const std::string expected = R"({"b":null,"d":null,"g":null,"h":1,"i":"there","k":null,"l":2})";
    for (const absent_policy around : {absent_policy::null, absent_policy::omit, absent_policy::error}) {
        EXPECT_EQ(to_string(document, json_options().absent(around)), expected);
        for (const std::size_t chunk : {1U, 7U, 64U})
            EXPECT_EQ(render_slowly(document, json_options().absent(around), chunk, chunk, 3).bytes, expected);
    }
}

TEST(AbsentTest, ASlotThatOwnsItsKeyTakesAPolicyToo) {
    const std::optional<std::vector<int>> none;
    const std::optional<std::vector<int>> some = std::vector<int>{1};
    const auto document = [&](slot out) -> task<> {
        auto json = out.object();
        co_await json[std::string("a key that is on the heap, not in the string: 1")](none, absent_policy::omit);
        co_await json[std::string("a")](none, absent_policy::null);
        co_await json[std::string("b")](some, absent_policy::omit);
        co_await json[std::string("c")](std::optional<int>(), absent_policy::omit);
        co_await json[std::string("d")](std::optional<int>(1), absent_policy::omit);
    };
    EXPECT_EQ(to_string(document), R"({"a":null,"b":[1],"d":1})");
}

TEST(AbsentTest, AContainersPolicyHoldsForAllInIt) {
    const std::optional<int> none;
    const auto document = [&](slot out) -> task<> {
        auto json = out.object();
        {
            auto inner = json["inner"].object(absent_policy::omit);
            co_await inner("a", none);
            const place there;
            co_await inner("place", there);
            auto list = inner["list"].array(absent_policy::null);
            const three all;
            co_await list.list(all);
        }
        co_await json("b", none);
    };
    EXPECT_EQ(to_string(document), R"({"inner":{"place":{"name":""},"list":[{"a":null,"b":null,"c":null}]},"b":null})");
}

TEST(AbsentTest, AnAbsentValueThatMustBeThereFailsBeforeItsKey) {
    const json_options strict = json_options().absent(absent_policy::error);
    const auto member = [](auto value) {
        return [value](slot out) -> task<> {
            auto json = out.object();
            auto inner = json["inner"].object();
            co_await inner("a", value);
        };
    };
    expect_failure(member(std::optional<int>()), errc::absent_value, "$.inner.a", strict);
    expect_failure(member(std::optional<std::vector<int>>()), errc::absent_value, "$.inner.a", strict);
    expect_failure(member(static_cast<const char*>(nullptr)), errc::absent_value, "$.inner.a", strict);
    expect_failure(member(std::variant<std::monostate, int>()), errc::absent_value, "$.inner.a", strict);
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            co_await json("a", std::optional<int>(), absent_policy::error);
        },
        errc::absent_value, "$.a");
    // Null that is said is not absent.
    EXPECT_EQ(to_string(member(nullptr), strict), R"({"inner":{"a":null}})");
}

TEST(AbsentTest, NulloptAndMonostateAreAbsentNullptrIsNot) {
    const auto document = [](slot out) -> task<> {
        auto json = out.object(absent_policy::omit);
        co_await json("a", std::nullopt);
        co_await json("b", std::variant<std::monostate, int>());
        co_await json("c", nullptr);
        co_await json["d"].null();
    };
    EXPECT_EQ(to_string(document), R"({"c":null,"d":null})");
}

TEST(AbsentTest, IntegersFollowTheirContainersPolicyToo) {
    const auto document = [](slot out) -> task<> {
        auto json = out.object();
        co_await json("a", 1);
        {
            auto ids = json["ids"].array(integer_policy::string);
            co_await ids.list(1);
            co_await ids.list(2.5);
        }
        auto inner = json["inner"].object(integer_policy::string_when_unsafe, keys::upper());
        co_await inner("b", 9007199254740993);
        co_await inner("c", 1);
    };
    EXPECT_EQ(to_string(document), R"({"a":1,"ids":["1",2.5],"inner":{"B":"9007199254740993","C":1}})");
}

} // namespace sluice::test
