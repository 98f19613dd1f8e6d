// What is given and never awaited, and slots that are kept too long.
#include "expect_failure.hpp"
#include <sluice/sluice.hpp>

#include <boost/describe/class.hpp>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

namespace {

struct pair_of_two {
    int a = 1;
    int b = 2;
};
BOOST_DESCRIBE_STRUCT(pair_of_two, (), (a, b))

const std::vector<int> numbers = {1, 2, 3};

// Keeps a slot in its own state.
struct keeps_a_slot {
    std::optional<slot> kept;
    task<> operator()(slot out) {
        auto json = out.object();
        kept.emplace(json["late"]);
        co_await json("a", 1);
    }
};

} // namespace

TEST(DroppedTest, AMergeThatIsNotAwaitedFails) {
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            const std::map<std::string, int> map = {{"a", 1}};
            auto dropped = json.merge(map);
            co_await json("b", 2);
        },
        errc::value_not_awaited, "$");
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            auto list = json["list"].array();
            static_cast<void>(list.merge(numbers));
            co_return;
        },
        errc::value_not_awaited, "$.list");
}

TEST(DroppedTest, AListedRangeThatIsNotAwaitedFails) {
    expect_failure(
        [](slot out) -> task<> {
            auto list = out.array();
            co_await list.list(0);
            static_cast<void>(list.list(numbers));
            co_await list.list(2);
        },
        errc::value_not_awaited, "$[1]");
    expect_failure(
        [](slot out) -> task<> {
            auto list = out.array();
            static_cast<void>(list.list(pair_of_two(), only<"a">));
            co_return;
        },
        errc::value_not_awaited, "$[0]");
}

TEST(DroppedTest, WhatIsAwaitedIsNot) {
    const outcome came = render_plain([](slot out) -> task<> {
        auto json = out.object();
        const std::map<std::string, int> map = {{"a", 1}};
        auto merge = json.merge(map);
        co_await std::move(merge);
        auto list = json["list"].array();
        auto first = list.list(numbers);
        co_await std::move(first);
        const pair_of_two value;
        co_await list.list(value, only<"b">);
        co_await list.merge(numbers);
        slot skipped = list.next(); // no element, and no error
    });
    EXPECT_EQ(came.result.message(), "");
    EXPECT_EQ(came.bytes, R"({"a":1,"list":[[1,2,3],{"b":2},1,2,3]})");
}

TEST(DroppedTest, ASlotInTheCallablesStateEndsBeforeTheDocument) {
    std::string text;
    string_sink sink(text);
    const render_result result = coro::sync_wait(render(sink, keeps_a_slot()));
    EXPECT_EQ(result.error, errc::member_without_value);
    EXPECT_EQ(result.path, "$.late");
    EXPECT_FALSE(is_json(text)) << text;
}

} // namespace sluice::test
