// The DSL: slots, scopes, ranges, generators, splices.
#include "json_reader.hpp"
#include "runner.hpp"
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/this_chain.hpp>
#include <sluice/coro/wait.hpp>
#include <sluice/output/callback_sink.hpp>
#include <sluice/render/slot.hpp>
#include <sluice/sluice.hpp>

#include <boost/describe/class.hpp>
#include <gtest/gtest.h>

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sluice::test {

namespace {

struct pair_of_two {
    int a = 0;
    std::string b;
};
BOOST_DESCRIBE_STRUCT(pair_of_two, (), (a, b))

struct four {
    int a = 1, b = 2, c = 3, d = 4;
};
BOOST_DESCRIBE_STRUCT(four, (), (a, b, c, d))

async_generator<int> count_to(int n, int& pulled) {
    for (int i = 1; i <= n; ++i) {
        ++pulled;
        co_yield i;
    }
}

async_generator<std::string> slow_words() {
    co_yield std::string("one");
    co_await coro::yield();
    co_yield std::string("two");
}

} // namespace

// SPL 8: jbuilder#55
TEST(StructureTest, EveryElementOfAnArrayOfObjectsIsThere) {
    const std::vector<pair_of_two> all = {{1, "x"}, {2, "y"}, {3, "z"}};
    EXPECT_EQ(to_string([&](slot out) -> task<> {
                  co_await out.each(all, [](slot item, const pair_of_two& p) -> task<> {
                      auto json = item.object();
                      co_await json("a", p.a);
                      co_await json("b", p.b);
                  });
              }),
              R"([{"a":1,"b":"x"},{"a":2,"b":"y"},{"a":3,"b":"z"}])");
}

// SPL 13: json-stringify#1
TEST(StructureTest, ManyMembersAreTheSameAtAnyBufferSize) {
    const std::vector<int> list = {1, 2, 3};
    const auto document = [&](slot out) -> task<> {
        auto json = out.object();
        for (int i = 0; i < 10'000; ++i)
            co_await json["test" + std::to_string(i)](list);
    };
    std::string expected = "{";
    for (int i = 0; i < 10'000; ++i)
        expected += (i == 0 ? "\"test" : ",\"test") + std::to_string(i) + "\":[1,2,3]";
    expected += "}";
    EXPECT_TRUE(to_string(document) == expected);
    for (const std::size_t chunk : {1U, 17U, 1000U, 16384U}) {
        const outcome came = render_slowly(document, {}, chunk, 2 * chunk, 997);
        EXPECT_EQ(came.result.message(), "");
        EXPECT_TRUE(came.bytes == expected);
        EXPECT_GT(came.result.suspensions, 1U);
    }
}

// SPL 15: turbostreamer#13
TEST(StructureTest, ALargeDocumentIsSentBeforeItsLastElementIsRendered) {
    std::size_t rendered = 0;
    std::size_t rendered_at_first_byte = 0;
    std::size_t writes = 0;
    callback_sink sink([&](std::string_view) {
        if (writes++ == 0)
            rendered_at_first_byte = rendered;
        return std::error_code();
    });
    const std::string text(1000, 't');
    const auto result = coro::sync_wait(render(sink, [&](slot out) -> task<> {
        auto list = out.array();
        for (; rendered < 1049; ++rendered)
            co_await list.list(text);
    }));
    EXPECT_FALSE(result.error);
    EXPECT_GT(result.bytes, 1024U * 1024);
    EXPECT_GT(writes, 1U);
    EXPECT_LT(rendered_at_first_byte, 100U);
}

TEST(StructureTest, APlainLambdaIsEnoughForEach) {
    const std::vector<std::string> all = {"a", "b"};
    EXPECT_EQ(to_string([&](slot out) -> task<> {
                  co_await out.each(all, [](slot item, const std::string& s) { return item(s); });
              }),
              R"(["a","b"])");
    EXPECT_EQ(to_string([&](slot out) -> task<> {
                  co_await out.each(all, [](slot item, const std::string& s) { return item(s + s); });
              }),
              R"(["aa","bb"])");
    // A template need not be a coroutine either.
    EXPECT_EQ(
        to_string([&](slot out) { return out.each(all, [](slot item, const std::string& s) { return item(s); }); }),
        R"(["a","b"])");
}

TEST(StructureTest, AnElementThatIsNotFilledIsSkipped) {
    const std::vector<int> all = {1, 2, 3, 4, 5};
    EXPECT_EQ(to_string([&](slot out) -> task<> {
                  co_await out.each(all, [](slot item, int n) -> task<> {
                      if (n % 2 == 0)
                          co_return;
                      co_await item(n);
                  });
              }),
              "[1,3,5]");
    EXPECT_EQ(to_string([&](slot out) -> task<> {
                  auto list = out.array();
                  {
                      slot first = list.next();
                  }
                  co_await list.next()(1);
                  slot last = list.next();
              }),
              "[1]");
}

TEST(StructureTest, ASlotMayWaitWhileOtherMembersAreWritten) {
    EXPECT_EQ(to_string([](slot out) -> task<> {
                  auto json = out.object();
                  slot late = json["late"];
                  co_await json("early", 1);
                  slot moved = std::move(late);
                  co_await moved(2);
                  slot last = json[std::string("run") + "-time"];
                  co_await json("before", 3);
                  auto list = last.array();
                  co_await list.list(4);
              }),
              R"({"early":1,"late":2,"before":3,"run-time":[4]})");
}

TEST(StructureTest, ElementsAreFilledInTheOrderOfTheirFilling) {
    EXPECT_EQ(to_string([](slot out) -> task<> {
                  auto list = out.array();
                  slot a = list.next();
                  slot b = list.next();
                  co_await b("second slot");
                  co_await a("first slot");
              }),
              R"(["second slot","first slot"])");
}

TEST(StructureTest, KeysKnownAtRunTimeAreEscaped) {
    const std::string quote = "a\"b";
    char buffer[8] = "buf";
    EXPECT_EQ(to_string([&](slot out) -> task<> {
                  auto json = out.object();
                  co_await json(quote, 1);
                  co_await json(std::string_view("\n"), 2);
                  co_await json(quote.c_str(), 3);
                  co_await json(buffer, 4);
                  co_await json[std::string("temporary \\ long enough to be on the heap")](5);
              }),
              R"({"a\"b":1,"\n":2,"a\"b":3,"buf":4,"temporary \\ long enough to be on the heap":5})");
}

TEST(StructureTest, MergeTakesTheChosenMembersInTheOrderOfTheChoice) {
    const four numbers;
    const std::map<std::string, int> map = {{"x", 1}, {"y", 2}, {"z", 3}};
    EXPECT_EQ(to_string([&](slot out) -> task<> {
                  auto list = out.array();
                  co_await list.list(numbers, only<"d", "a">);
                  co_await list.list(numbers, except<"d", "a">);
                  co_await list.list(map, except<"y">);
                  {
                      auto json = list.next().object();
                      co_await json("first", 0);
                      co_await json.merge(numbers, only<"b">);
                      co_await json.merge(map, only<"z", "x">);
                      co_await json.merge(map, except<"x", "z">);
                      co_await json.put([&](auto& members) { members.merge(numbers, only<"c">); });
                  }
                  const std::vector<four> several(2);
                  co_await list.list(several, only<"a">);
                  co_await list.merge(std::vector<int>(2, 7));
              }),
              R"([{"d":4,"a":1},{"b":2,"c":3},{"x":1,"z":3},{"first":0,"b":2,"x":1,"z":3,"y":2,"c":3},)"
              R"([{"a":1},{"a":1}],7,7])");
}

TEST(StructureTest, PutWritesPlainValuesWithoutAwaits) {
    const std::vector<int> list = {1, 2};
    EXPECT_EQ(to_string([&](slot out) -> task<> {
                  auto json = out.object();
                  co_await json.put([&](auto& members) {
                      members("a", list.empty() ? 0 : list.front());
                      members("list", list);
                      members("four", four(), only<"a">);
                  });
                  auto all = json["all"].array();
                  co_await all.put([&](auto& elements) {
                      for (int i = 0; i < 3; ++i)
                          elements(i);
                      elements(four(), only<"b">);
                  });
              }),
              R"({"a":1,"list":[1,2],"four":{"a":1},"all":[0,1,2,{"b":2}]})");
}

TEST(StructureTest, ReadyBytesHaveTheirCommasInEveryPosition) {
    // Each of these, in every order of up to three, in an array and in an object. SPL 1 and 2 without the cache.
    const auto put = [](object& json, int what, int index) -> task<> {
        const std::string key = "k" + std::to_string(index);
        const std::string pair = "\"" + key + "\":1";
        switch (what) {
        case 0:
            co_await json(key, 1);
            break;
        case 1: {
            auto inner = json[key].object();
            co_await inner("x", 1);
            break;
        }
        case 2:
            co_await json.splice(std::string_view(pair));
            break;
        case 3:
            co_await json.splice(shared_bytes(pair));
            break;
        case 4:
            co_await json.splice(std::string());
            break;
        case 5:
            co_await json[key].splice(std::string("[1]"));
            break;
        default:
            co_await json[key].splice(shared_bytes("\"" + std::string(5000, 's') + "\""));
            break;
        }
    };
    for (int a = 0; a < 7; ++a) {
        for (int b = 0; b < 7; ++b) {
            for (int c = 0; c < 7; ++c) {
                for (const std::size_t chunk : {64U, 4096U}) {
                    const outcome came = render_at_once(
                        [&](slot out) -> task<> {
                            auto json = out.object();
                            co_await put(json, a, 0);
                            co_await put(json, b, 1);
                            co_await put(json, c, 2);
                        },
                        {}, chunk, 2 * chunk);
                    json_reader reader(came.bytes);
                    ASSERT_TRUE(reader.read()) << a << b << c << " " << came.result.message();
                    ASSERT_EQ(reader.scalars().size(), 3U - (a == 4) - (b == 4) - (c == 4));
                }
            }
        }
    }
    EXPECT_EQ(to_string([](slot out) -> task<> {
                  auto list = out.array();
                  co_await list.splice(std::string_view("1,2"));
                  co_await list.splice(std::string_view());
                  {
                      auto object = list.next().object();
                  }
                  co_await list.splice(std::string("3"));
                  co_await list.next().splice(shared_bytes("{\"a\":4}"));
                  co_await list.splice(shared_bytes());
                  co_await list.list(5);
              }),
              R"([1,2,{},3,{"a":4},5])");
}

TEST(StructureTest, LargeSharedBytesAreReferredToAndLetGo) {
    auto owner = std::make_shared<const std::string>("\"" + std::string(100'000, 'r') + "\"");
    const std::weak_ptr<const std::string> watch = owner;
    held_render run(
        [held = shared_bytes(owner, *owner)](slot out) -> task<> {
            auto list = out.array();
            co_await list.next().splice(held);
            co_await list.list(1);
        },
        {});
    run.start();
    run.clock.run_until_idle();
    ASSERT_TRUE(run.sink.writing());
    EXPECT_GT(watch.use_count(), 2); // ours, the template's, and that of the write
    ASSERT_TRUE(run.finish(777));
    EXPECT_EQ(run.sink.received(), "[" + *owner + ",1]");
    run.drop();
    owner.reset();
    EXPECT_TRUE(watch.expired());
}

TEST(StructureTest, SplicesKeepChunksInProportionToWhatIsBuffered) {
    chunk_pool pool(16384);
    held_render run(
        [](slot out) -> task<> {
            auto list = out.array();
            const shared_bytes fragment("\"" + std::string(5000, 'f') + "\"");
            for (int i = 0; i < 200; ++i) {
                co_await list.next().splice(fragment);
                co_await list.list(i);
            }
        },
        output_options().pool(&pool).high_water(64 * 1024));
    run.start();
    run.clock.run_until_idle();
    EXPECT_LE(pool.peak_bytes_in_use(), 64U * 1024 + 16384 + 4096);
    ASSERT_TRUE(run.finish());
    EXPECT_TRUE(is_json(run.sink.received()));
    EXPECT_LE(pool.peak_bytes_in_use(), 64U * 1024 + 16384 + 4096);
}

TEST(StructureTest, AGeneratorIsAskedForAnElementOnlyWhenTheOneBeforeIsThrough) {
    int pulled = 0;
    chunk_pool pool(64);
    held_render run(
        [&](slot out) -> task<> {
            auto json = out.object();
            co_await json["numbers"].each(count_to(10'000, pulled), [](slot item, int n) { return item(n); });
        },
        output_options().pool(&pool).high_water(128));
    run.start();
    run.clock.run_until_idle();
    // The sink takes nothing: the source stands still.
    const int first = pulled;
    EXPECT_GT(first, 5);
    EXPECT_LT(first, 100);
    run.clock.run_until_idle();
    EXPECT_EQ(pulled, first);
    run.sink.accept(200);
    run.clock.run_until_idle();
    EXPECT_GT(pulled, first);
    EXPECT_LT(pulled, first + 200);
    ASSERT_TRUE(run.finish());
    EXPECT_EQ(pulled, 10'000);
    EXPECT_TRUE(is_json(run.sink.received()));
    EXPECT_LE(pool.peak_bytes_in_use(), 128U + 64 + 4096);
}

TEST(StructureTest, GeneratorsAreValuesAndMayWait) {
    int pulled = 0;
    EXPECT_EQ(to_string([&](slot out) -> task<> {
                  auto json = out.object();
                  co_await json("words", slow_words());
                  auto list = json["list"].array();
                  co_await list.merge(count_to(3, pulled));
                  co_await list.merge(slow_words());
              }),
              R"({"words":["one","two"],"list":[1,2,3,"one","two"]})");
}

TEST(StructureTest, ATemplateMayWaitForOtherThingsWithScopesOpen) {
    EXPECT_EQ(to_string([](slot out) -> task<> {
                  auto json = out.object();
                  auto list = json["list"].array();
                  for (int i = 0; i < 3; ++i) {
                      co_await coro::yield();
                      co_await list.list(i);
                  }
              }),
              R"({"list":[0,1,2]})");
}

TEST(EachTest, TellsWhereAnElementStands) {
    const std::list<std::string> names = {"a", "b", "c"};
    const auto write = [](slot out, const std::string& name, position where) -> task<> {
        if (name == "b")
            co_return; // skipped, and counted
        auto json = out.object();
        co_await json("name", name);
        co_await json("index", where.index());
        co_await json("first", where.is_first());
        co_await json("last", where.is_last());
    };
    const std::string expected =
        R"([{"name":"a","index":0,"first":true,"last":false},{"name":"c","index":2,"first":false,"last":true}])";
    EXPECT_EQ(to_string([&](slot out) -> task<> { co_await out.each(names, write); }), expected);
    EXPECT_EQ(to_string([&](slot out) -> task<> { co_await out.each(names, write, concurrent(2)); }), expected);
    const std::vector<int> one = {7};
    EXPECT_EQ(to_string([&](slot out) -> task<> {
                  const auto is_last = [](slot place, int, position where) { return place(where.is_last()); };
                  co_await out.each(one, is_last);
              }),
              "[true]");
}

} // namespace sluice::test
