// When rendered bytes leave for the sink before the end: the linger time, and flush.
#include "json_reader.hpp"
#include "runner.hpp"
#include <sluice/coro/wait.hpp>
#include <sluice/sluice.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <system_error>

namespace sluice::test {

using namespace std::chrono_literals;

TEST(LeavingTest, WhatIsRenderedGoesOutWhenTheLingerTimeHasPassed) {
    chunk_pool pool(64);
    held_render run(
        [](slot out) -> task<> {
            auto list = out.array();
            co_await list.list(std::string(70, 'a')); // fills a chunk, which is sent
            co_await coro::wait_for(1h);
            co_await list.list("second");
            co_await coro::wait_for(1h);
            co_await list.list("third");
        },
        output_options().pool(&pool).high_water(1024));
    const std::string first = "[\"" + std::string(70, 'a') + "\"";
    run.start();
    run.clock.advance(10ms); // the linger time passes while the write is in flight
    EXPECT_EQ(run.sink.received(), "");
    run.sink.accept();
    run.clock.run_until_idle();
    run.sink.accept();
    run.clock.run_until_idle();
    EXPECT_EQ(run.sink.received(), first);
    run.clock.advance(1h - 8ms); // two after the template has gone on
    EXPECT_FALSE(run.sink.writing());
    run.clock.advance(5ms); // the sink is idle
    run.sink.accept();
    run.clock.run_until_idle();
    EXPECT_EQ(run.sink.received(), first + ",\"second\"");
    ASSERT_TRUE(run.finish());
    EXPECT_TRUE(is_json(run.sink.received()));
}

TEST(LeavingTest, ALingerTimeWithoutEndNeverPasses) {
    chunk_pool pool(64);
    held_render run(
        [](slot out) -> task<> {
            auto list = out.array();
            co_await list.list(std::string(70, 'a'));
            co_await coro::wait_for(1h);
            co_await list.list("second");
        },
        output_options().pool(&pool).high_water(1024).linger(std::chrono::hours::max()));
    run.start();
    run.clock.run_until_idle();
    run.sink.accept();
    run.clock.run_until_idle();
    const std::size_t sent = run.sink.received().size();
    run.clock.advance(59min);
    EXPECT_FALSE(run.sink.writing());
    EXPECT_LT(sent, 70u);
    ASSERT_TRUE(run.finish());
    EXPECT_TRUE(is_json(run.sink.received()));
}

TEST(LeavingTest, AFlushGoesOnWhenTheSinkHasTakenEverything) {
    bool flushed = false;
    held_render run(
        [&](slot out) -> task<> {
            auto json = out.object();
            auto rows = json["rows"].array();
            co_await rows.list("first");
            co_await rows.flush();
            flushed = true;
            co_await rows.list("second");
            co_await json.flush(); // of an outer scope: the same output
        },
        {});
    run.start();
    run.clock.run_until_idle();
    const std::string first = R"({"rows":["first")";
    for (std::size_t taken = 0; taken < first.size(); ++taken) {
        EXPECT_FALSE(flushed) << taken;
        EXPECT_EQ(run.sink.accept(1), 1u);
        run.clock.run_until_idle();
    }
    EXPECT_TRUE(flushed);
    EXPECT_EQ(run.sink.received(), first);
    ASSERT_TRUE(run.finish());
    EXPECT_EQ(run.sink.received(), first + R"(,"second"]})");
    const render_result result = run.result();
    EXPECT_EQ(result.message(), "");
}

TEST(LeavingTest, AFlushOfNothingAndOneIntoASinkThatNeverWaitsAreReady) {
    std::string text;
    std::string seen;
    string_sink sink(text);
    const render_result result = coro::sync_wait(render(sink, [&](slot out) -> task<> {
        auto list = out.array();
        co_await list.list(1);
        co_await list.flush();
        seen = text;
        co_await list.flush();
        EXPECT_EQ(text, seen);
    }));
    EXPECT_EQ(result.message(), "");
    EXPECT_EQ(seen, "[1");
    EXPECT_EQ(text, "[1]");
}

TEST(LeavingTest, AFlushThrowsTheFailureOfTheSink) {
    std::error_code thrown;
    held_render run(
        [&](slot out) -> task<> {
            auto list = out.array();
            co_await list.list(1);
            try {
                co_await list.flush();
            } catch (const render_error& error) {
                thrown = error.code();
                throw;
            }
        },
        {});
    run.sink.fail_write(0, std::make_error_code(std::errc::broken_pipe));
    run.start();
    ASSERT_TRUE(run.finish());
    EXPECT_EQ(thrown, std::errc::broken_pipe);
    EXPECT_EQ(run.result().error, std::errc::broken_pipe);
    EXPECT_TRUE(run.sink.aborted());
}

} // namespace sluice::test
