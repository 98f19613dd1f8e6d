// Children that are rendered side by side: each with concurrent(n), and object::concurrently.
#include "expect_failure.hpp"
#include "json_reader.hpp"
#include "runner.hpp"
#include <sluice/coro/async_generator.hpp>
#include <sluice/coro/operation_cancelled.hpp>
#include <sluice/coro/scheduler.hpp>
#include <sluice/coro/wait.hpp>
#include <sluice/sluice.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

namespace {

using namespace std::chrono_literals;

std::vector<int> numbers(int count) {
    std::vector<int> made;
    for (int i = 0; i < count; ++i)
        made.push_back(i);
    return made;
}

// Elements of every size, of which some wait, some skip themselves and some do neither.
task<> write_varied(slot out, int i) {
    if (i % 3 == 0)
        co_await coro::wait_for(std::chrono::milliseconds(50 - i));
    if (i % 7 == 6)
        co_return;
    auto json = out.object();
    co_await json("i", i);
    co_await json("text", std::string(static_cast<std::size_t>(i) * static_cast<std::size_t>(i) * 5, 'x'));
    if (i % 2 == 0)
        co_await coro::wait_for(1ms);
    auto list = json["list"].array();
    for (int k = 0; k < i; ++k)
        co_await list.list(k);
}

// Lets all virtual time pass, with a sink that takes what it is given.
std::string received_by(held_render& run) {
    run.start();
    EXPECT_TRUE(run.finish());
    const render_result result = run.result();
    EXPECT_FALSE(result.error) << result.message();
    return run.sink.received();
}

} // namespace

TEST(ConcurrentChildrenTest, TheBytesAreThoseOfOneAfterAnother) {
    const std::vector<int> all = numbers(22);
    for (const unsigned indent : {0U, 2U}) {
        const json_options how = json_options().indent(indent);
        const auto one_by_one = [&](slot out) -> task<> {
            auto json = out.object(keys::upper());
            co_await json["all"].each(all, write_varied);
            co_await json("behind", 1);
        };
        held_render sequential(one_by_one, how);
        const std::string expected = received_by(sequential);
        ASSERT_TRUE(is_json(expected));
        for (const std::size_t at_once : {1U, 2U, 7U, 100U}) {
            const auto side_by_side = [&](slot out) -> task<> {
                auto json = out.object(keys::upper());
                co_await json["all"].each(all, write_varied, concurrent(at_once));
                co_await json("behind", 1);
            };
            for (const std::size_t chunk : {1U, 64U, 5000U, 16384U}) {
                SCOPED_TRACE(std::to_string(at_once) + " at once, chunk " + std::to_string(chunk));
                const outcome came = render_slowly(side_by_side, how, chunk, 2 * chunk, 1 + 3 * chunk / 2);
                EXPECT_FALSE(came.stalled);
                EXPECT_EQ(came.bytes, expected) << came.result.message();
                EXPECT_EQ(came.misuse, "");
            }
        }
    }
}

TEST(ConcurrentChildrenTest, AHundredThatWaitTenMillisecondsTakeAHundredNthOfThem) {
    const std::vector<int> all = numbers(100);
    for (const std::size_t at_once : {1U, 4U, 25U, 100U}) {
        std::size_t running = 0;
        std::size_t most = 0;
        const auto wait = [&](slot out, int i) -> task<> {
            most = std::max(most, ++running);
            co_await coro::wait_for(10ms);
            --running;
            co_await out(i);
        };
        held_render run([&](slot out) -> task<> { co_await out.each(all, wait, concurrent(at_once)); }, {});
        const auto begin = run.clock.now();
        received_by(run);
        EXPECT_EQ(run.clock.now() - begin, 10ms * (100 / at_once));
        EXPECT_EQ(most, at_once);
    }
}

TEST(ConcurrentChildrenTest, ALaterChildStopsAtItsShareWhileAnEarlierOneIsHeld) {
    constexpr std::size_t at_once = 8;
    const std::vector<int> all = numbers(20);
    std::vector<std::size_t> rows(20);
    const auto write = [&](slot out, int i) -> task<> {
        auto list = out.array();
        if (i == 0)
            co_await coro::wait_for(1h);
        for (std::size_t& row = rows[static_cast<std::size_t>(i)]; row < 10'000; ++row)
            co_await list.list(std::string(98, 'r'));
    };
    chunk_pool pool;
    held_render run([&](slot out) -> task<> { co_await out.each(all, write, concurrent(at_once)); },
                    render_options(output_options().pool(&pool)));
    run.start();
    run.sink.accept();
    run.clock.advance(59min);
    EXPECT_EQ(rows[0], 0U);
    for (std::size_t i = 1; i < at_once; ++i) {
        EXPECT_GT(rows[i], 20U);
        EXPECT_LT(rows[i] * 101, 13'000U) << i;
    }
    EXPECT_EQ(rows[at_once], 0U);
    ASSERT_TRUE(run.finish());
    EXPECT_EQ(run.sink.received().size(), 2 + 19 + 20 * (2 + 10'000 * 101 - 1));
    // The document's own chunks, and those of the batch that is in flight.
    EXPECT_LE(pool.peak_bytes_in_use(), 4 * pool.chunk_size());
}

TEST(ConcurrentChildrenTest, ASlowReaderHoldsTheChildrenBack) {
    const std::vector<int> all = numbers(20);
    std::size_t rows = 0;
    const auto write = [&](slot out, int) -> task<> {
        auto list = out.array();
        for (int k = 0; k < 200; ++k) {
            co_await list.list(std::string(98, 'r'));
            ++rows;
        }
    };
    held_render run([&](slot out) -> task<> { co_await out.each(all, write, concurrent(4)); },
                    render_options(output_options().high_water(8192)));
    run.start();
    run.clock.advance(1h);
    EXPECT_LT(rows * 101, 8192U + 16384 + 4 * 13'000);
    ASSERT_TRUE(run.finish(3000));
    EXPECT_TRUE(is_json(run.sink.received()));
}

TEST(ConcurrentChildrenTest, WhatTheFirstChildHasRenderedLeavesWhileItWaits) {
    const std::vector<int> all = numbers(3);
    const auto write = [&](slot out, int i) -> task<> {
        auto json = out.object();
        co_await json("i", i);
        co_await coro::wait_for(1h);
        co_await json("j", i);
    };
    held_render run(
        [&](slot out) -> task<> {
            auto json = out.object();
            co_await json("a", 1);
            co_await json.flush();
            co_await json["all"].each(all, write, concurrent(2));
        },
        {});
    run.start();
    for (int i = 0; i < 6; ++i) {
        run.sink.accept();
        run.clock.advance(6ms); // the linger time, of the child and of the document
    }
    EXPECT_EQ(run.sink.received(), R"({"a":1,"all":[{"i":0)");
    ASSERT_TRUE(run.finish());
    EXPECT_EQ(run.sink.received(), R"({"a":1,"all":[{"i":0,"j":0},{"i":1,"j":1},{"i":2,"j":2}]})");
}

TEST(ConcurrentChildrenTest, ElementsOfASourceThatIsReadOnceAreMovedIntoTheirChild) {
    const auto source = []() -> coro::async_generator<std::unique_ptr<int>> {
        for (int i = 0; i < 10; ++i) {
            co_await coro::wait_for(1ms);
            auto made = std::make_unique<int>(i);
            co_yield made;
        }
    };
    const auto write = [](slot out, const std::unique_ptr<int>& i) -> task<> {
        co_await coro::wait_for(std::chrono::milliseconds(20 - *i));
        co_await out(*i);
    };
    held_render run([&](slot out) -> task<> { co_await out.each(source(), write, concurrent(4)); }, {});
    EXPECT_EQ(received_by(run), "[0,1,2,3,4,5,6,7,8,9]");
}

TEST(ConcurrentChildrenTest, MembersComeInTheOrderOfTheirCallables) {
    const auto slow = [](object& json) -> task<> {
        co_await coro::wait_for(10ms);
        co_await json("slow_one", 1);
        auto inner = json["in_ner"].object();
        co_await inner("a_b", 2);
    };
    const auto fast = [](object& json) -> task<> { co_await json("fast", 3); };
    const auto nothing = [](object&) -> task<> { co_return; };
    held_render run(
        [&](slot out) -> task<> {
            auto json = out.object(keys::camel());
            co_await json.concurrently(nothing, slow, nothing, fast, nothing);
            co_await json("behind", 4);
        },
        render_options().strict(true));
    const auto begin = run.clock.now();
    EXPECT_EQ(received_by(run), R"({"slowOne":1,"inNer":{"aB":2},"fast":3,"behind":4})");
    EXPECT_EQ(run.clock.now() - begin, 10ms);
}

TEST(ConcurrentChildrenTest, AStrictRenderSeesKeysThatTwoChildrenShare) {
    const auto same = [](object& json) -> task<> { co_await json("same", 1); };
    expect_failure(
        [&](slot out) -> task<> {
            auto json = out.object();
            co_await json.concurrently(same, same);
        },
        errc::duplicate_key, "$.same", render_options().strict(true));
}

TEST(ConcurrentChildrenTest, TheyNest) {
    const std::vector<int> all = numbers(5);
    const auto inner = [](slot out, int i) -> task<> {
        co_await coro::wait_for(10ms);
        co_await out(i);
    };
    const auto outer = [&](slot out, int) -> task<> { co_await out.each(all, inner, concurrent(5)); };
    held_render run([&](slot out) -> task<> { co_await out.each(all, outer, concurrent(5)); }, {});
    const auto begin = run.clock.now();
    EXPECT_EQ(received_by(run), "[[0,1,2,3,4],[0,1,2,3,4],[0,1,2,3,4],[0,1,2,3,4],[0,1,2,3,4]]");
    EXPECT_EQ(run.clock.now() - begin, 10ms);
}

TEST(ConcurrentChildrenTest, TheFirstFailureCancelsTheRest) {
    const std::vector<int> all = numbers(10);
    std::size_t cancelled = 0;
    std::size_t started = 0;
    const auto write = [&](slot out, int i) -> task<> {
        ++started;
        if (i == 3) {
            co_await coro::wait_for(1ms);
            throw std::runtime_error("of the third");
        }
        try {
            co_await coro::wait_for(1h);
        } catch (const coro::operation_cancelled&) {
            ++cancelled;
            throw;
        }
        co_await out(i);
    };
    held_render run([&](slot out) -> task<> { co_await out.each(all, write, concurrent(5)); }, {});
    const auto begin = run.clock.now();
    run.start();
    ASSERT_TRUE(run.finish());
    EXPECT_EQ(run.clock.now() - begin, 1ms);
    const render_result result = run.result();
    EXPECT_EQ(result.error, errc::template_threw);
    EXPECT_NE(result.message().find("of the third"), std::string::npos) << result.message();
    EXPECT_EQ(started, 5U);
    EXPECT_EQ(cancelled, 4U);
    EXPECT_FALSE(is_json(run.sink.received()));
}

TEST(ConcurrentChildrenTest, AChildThatHoldsBytesEndsWhenAnotherFails) {
    const std::vector<int> all = numbers(4);
    const auto write = [&](slot out, int i) -> task<> {
        if (i == 2) {
            co_await coro::wait_for(1ms);
            throw std::runtime_error("of the second");
        }
        auto list = out.array();
        if (i == 0)
            co_await coro::wait_for(1h);
        for (;;) // stopped by its share
            co_await list.list(std::string(1000, 'r'));
    };
    held_render run([&](slot out) -> task<> { co_await out.each(all, write, concurrent(4)); }, {});
    run.start();
    ASSERT_TRUE(run.finish());
    EXPECT_EQ(run.result().error, errc::template_threw);
}

TEST(ConcurrentChildrenTest, MisuseNamesTheElement) {
    const std::vector<int> all = numbers(10);
    expect_failure(
        [&](slot out) -> task<> {
            auto json = out.object();
            const auto write = [](slot place, int i) -> task<> {
                auto one = place.object();
                co_await one("i", i);
                if (i == 3)
                    static_cast<void>(one["empty"]);
            };
            co_await json["all"].each(all, write, concurrent(2));
        },
        errc::member_without_value, "$.all[3].empty");
    expect_failure(
        [&](slot out) -> task<> {
            auto json = out.object();
            auto inner = json["inner"].object();
            const auto wrong = [](object& part) -> task<> {
                static_cast<void>(part["empty"]);
                co_return;
            };
            co_await inner.concurrently(wrong);
        },
        errc::member_without_value, "$.inner.empty");
}

TEST(ConcurrentChildrenTest, WritingTheDocumentFromAChildIsAnError) {
    const std::vector<int> all = numbers(3);
    expect_failure(
        [&](slot out) -> task<> {
            auto list = out.array();
            const auto write = [&](object&) -> task<> { co_await list.list(1); };
            auto json = list.next().object();
            co_await json.concurrently(write);
        },
        errc::parent_written_while_child_open, "$[0]");
    expect_failure(
        [&](slot out) -> task<> {
            auto json = out.object();
            const auto write = [&](object&) -> task<> { co_await json("a", 1); };
            co_await json.concurrently(write);
        },
        errc::parent_written_while_child_open, "$");
}

TEST(ConcurrentChildrenTest, ADroppedOneIsAnError) {
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            static_cast<void>(json.concurrently([](object& part) { return part("a", 1); }));
            co_return;
        },
        errc::value_not_awaited, "$");
}

TEST(ConcurrentChildrenTest, DroppedOrStoppedAtAnyStepEverythingIsDestroyedAndNothingFollows) {
    const std::vector<int> all = numbers(6);
    for (const bool stopped : {false, true}) {
        for (int steps = 0;; ++steps) {
            SCOPED_TRACE("step " + std::to_string(steps) + (stopped ? ", stopped" : ", dropped"));
            auto alive = std::make_shared<int>();
            bool whole = false;
            {
                std::stop_source stop;
                held_render run(
                    [alive, &all](slot out) -> task<> {
                        auto json = out.object();
                        const auto write = [kept = alive](slot place, int i) -> task<> {
                            const auto own = kept;
                            auto list = place.array();
                            co_await list.list(std::string(5000, 'a'));
                            co_await coro::wait_for(std::chrono::milliseconds(i % 3));
                            co_await list.list("b");
                        };
                        co_await json["all"].each(all, write, concurrent(3));
                    },
                    render_options(output_options().high_water(4096)), stop.get_token());
                run.start();
                for (int i = 0; i < steps && !run.ended(); ++i) {
                    const std::size_t taken = run.sink.accept(2500);
                    if (run.clock.run_until_idle() == 0 && taken == 0)
                        run.clock.run();
                }
                whole = run.ended();
                std::string received = run.sink.received();
                if (stopped && !whole) {
                    stop.request_stop();
                    ASSERT_TRUE(run.finish());
                    const std::error_code error = run.result().error;
                    received = run.sink.received();
                    // A last write that is faster than the request is whole.
                    EXPECT_EQ(!error, run.sink.complete());
                    EXPECT_TRUE(!error || error == errc::cancelled) << error.message();
                } else {
                    run.drop();
                }
                run.clock.run_until_idle();
                EXPECT_EQ(run.sink.received(), received);
                EXPECT_EQ(is_json(received), run.sink.complete());
            }
            EXPECT_EQ(alive.use_count(), 1);
            if (whole)
                break;
            ASSERT_LT(steps, 1000);
        }
    }
}

// The object is the caller's, and the exception may be caught there: what a child has written cannot be taken back.
TEST(ConcurrentChildrenTest, AHalfWrittenChildPoisonsTheDocumentWhoeverCatches) {
    const auto first = [](object& json) -> task<> {
        auto list = json["list"].array();
        co_await list.list(1);
        co_await coro::wait_for(50ms);
        co_await list.list(2);
    };
    const auto second = [](object&) -> task<> {
        co_await coro::wait_for(20ms);
        throw std::runtime_error("of the second");
    };
    bool went_on = false;
    held_render run(
        [&](slot out) -> task<> {
            auto json = out.object();
            try {
                co_await json.concurrently(first, second);
            } catch (const std::runtime_error&) {
                went_on = true;
            }
            co_await json("ok", true);
        },
        {});
    run.start();
    for (int i = 0; i < 30; ++i) {
        run.sink.accept();
        run.clock.advance(1ms);
    }
    ASSERT_TRUE(run.finish());
    EXPECT_TRUE(went_on);
    EXPECT_EQ(run.result().error, errc::template_threw);
    EXPECT_FALSE(is_json(run.sink.received())) << run.sink.received();
}

// Where nothing of a child had been written the object goes on.
TEST(ConcurrentChildrenTest, AChildThatFailsUnwrittenMayBeCaught) {
    const auto failing = [](object& json) -> task<> {
        co_await json("a", 1);
        throw std::runtime_error("of the child");
    };
    const auto whole = [&](slot out) -> task<> {
        auto json = out.object();
        bool caught = false;
        try {
            co_await json.concurrently(failing);
        } catch (const std::runtime_error&) {
            caught = true;
        }
        co_await json("caught", caught);
    };
    held_render run(whole, {});
    EXPECT_EQ(received_by(run), R"({"caught":true})");
}

TEST(ConcurrentChildrenTest, WhenTheRangeFailsTheChildrenEndFirst) {
    std::size_t running = 0;
    const auto source = []() -> coro::async_generator<int> {
        for (int i = 0; i < 3; ++i)
            co_yield i;
        co_await coro::wait_for(1ms);
        throw std::runtime_error("of the source");
    };
    const auto write = [&](slot out, int i) -> task<> {
        ++running;
        try {
            co_await coro::wait_for(1h);
        } catch (const coro::operation_cancelled&) {
            --running;
            throw;
        }
        co_await out(i);
    };
    held_render run(
        [&](slot out) -> task<> {
            auto rows = source();
            co_await out.each(rows, write, concurrent(5));
        },
        {});
    run.start();
    ASSERT_TRUE(run.finish());
    const render_result result = run.result();
    EXPECT_NE(result.message().find("of the source"), std::string::npos) << result.message();
    EXPECT_EQ(running, 0U);
}

TEST(ConcurrentChildrenTest, ZeroAtOnceIsRefused) {
    EXPECT_THROW(concurrent(0), std::invalid_argument);
}

} // namespace sluice::test
