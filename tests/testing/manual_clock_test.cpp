#include <sluice/coro/chain.hpp>
#include <sluice/coro/wait.hpp>
#include <sluice/output/output.hpp>
#include <sluice/output/shared_bytes.hpp>
#include <sluice/testing/fail_plan.hpp>
#include <sluice/testing/holding_sink.hpp>
#include <sluice/testing/manual_clock.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace sluice {
namespace {

using namespace std::chrono_literals;
using testing::fail_plan;
using testing::holding_sink;
using testing::manual_clock;

struct note final : coro::scheduled {
    note(std::string& to, char as) : out(to), name(as) {}
    void run() noexcept override { out += name; }
    std::string& out;
    char name;
};

struct runner {
    runner(coro::task<> work, coro::scheduler& where, coro::chain_observer* observer = nullptr)
        : chain(std::in_place, std::move(work), coro::environment(&where, {}, observer)) {}
    void start() {
        chain->start({[](void* object) noexcept -> std::coroutine_handle<> {
                          *static_cast<bool*>(object) = true;
                          return nullptr;
                      },
                      &ended});
    }
    std::optional<coro::chain<void>> chain;
    bool ended = false;
};

TEST(ManualClockTest, RunsPostsThenTimersInOrder) {
    manual_clock clock;
    std::string order;
    note a(order, 'a'), b(order, 'b'), c(order, 'c'), d(order, 'd'), e(order, 'e');
    const auto now = clock.now();
    clock.wait_until(e, now + 2h);
    clock.wait_until(c, now);
    clock.wait_until(d, now);
    clock.post(a);
    clock.post(b);
    EXPECT_EQ(order, "");
    EXPECT_EQ(clock.run_until_idle(), 4u);
    EXPECT_EQ(order, "abcd");
    EXPECT_EQ(clock.now(), now);
    EXPECT_EQ(clock.run(), 1u);
    EXPECT_EQ(order, "abcde");
    EXPECT_EQ(clock.now(), now + 2h);
    EXPECT_EQ(clock.steps(), 5u);
}

TEST(ManualClockTest, AdvanceRunsEachTimerAtItsOwnTime) {
    manual_clock clock;
    std::vector<coro::scheduler::duration> seen;
    const auto start = clock.now();
    auto body = [&]() -> coro::task<> {
        for (int i = 0; i < 3; ++i) {
            co_await coro::wait_for(10ms);
            seen.push_back(clock.now() - start);
        }
    };
    runner chain(body(), clock);
    chain.start();
    clock.advance(25ms);
    EXPECT_EQ(seen, (std::vector<coro::scheduler::duration>{10ms, 20ms}));
    EXPECT_EQ(clock.now(), start + 25ms);
    clock.advance(5ms);
    EXPECT_EQ(seen.size(), 3u);
    EXPECT_TRUE(chain.ended);
}

TEST(ManualClockTest, ForgetsWhatIsWithdrawnOrDestroyed) {
    manual_clock clock;
    std::string order;
    note kept(order, 'k');
    {
        note posted(order, 'p'), timed(order, 't');
        clock.post(posted);
        clock.wait_until(timed, clock.now());
        clock.wait_until(kept, clock.now() + 1h);
    }
    kept.withdraw();
    EXPECT_EQ(clock.run(), 0u);
    EXPECT_EQ(order, "");
}

TEST(ManualClockTest, WhatIsPendingWhenItGoesIsNotPendingAnyMore) {
    std::string order;
    note posted(order, 'p'), timed(order, 't');
    {
        manual_clock clock;
        clock.post(posted);
        clock.wait_until(timed, clock.now() + 1s);
    }
    EXPECT_FALSE(posted.pending());
    EXPECT_FALSE(timed.pending());
}

TEST(ManualClockTest, TakesPostsFromAnotherThread) {
    manual_clock clock;
    std::string order;
    note a(order, 'a');
    std::thread([&] { clock.post(a); }).join();
    EXPECT_EQ(clock.run(), 1u);
}

TEST(ManualClockTest, ATestThatDoesNotEndFails) {
    manual_clock clock;
    clock.limit_steps(1000);
    auto body = []() -> coro::task<> {
        for (;;)
            co_await coro::wait_for(1s);
    };
    runner chain(body(), clock);
    chain.start();
    EXPECT_THROW(clock.run(), std::runtime_error);
}

TEST(FailPlanTest, FailsEachStepOnceAndEndsWithAnUntouchedRun) {
    std::vector<int> reached;
    fail_plan plan;
    while (plan.again()) {
        int done = 0;
        for (int i = 0; i < 3; ++i) {
            if (plan.error_if_due())
                break;
            ++done;
        }
        reached.push_back(done);
    }
    EXPECT_EQ(reached, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(plan.runs(), 4u);
    EXPECT_EQ(plan.describe(), "fail_plan: step 3 of run 4, not reached");
}

TEST(FailPlanTest, ThrowsAndActsAtItsStep) {
    int thrown = 0;
    for (fail_plan plan; plan.again();) {
        try {
            plan.throw_if_due(std::runtime_error("x"));
            plan.throw_if_due(std::runtime_error("y"));
        } catch (const std::runtime_error&) {
            ++thrown;
        }
    }
    EXPECT_EQ(thrown, 2);
    int acted = 0;
    for (fail_plan plan; plan.again();)
        plan.act_if_due([&] { ++acted; });
    EXPECT_EQ(acted, 1);
}

TEST(FailPlanTest, APlanThatNeverPassesEnds) {
    EXPECT_THROW(
        {
            for (fail_plan plan(10); plan.again();)
                while (!plan.due()) {
                }
        },
        std::logic_error);
}

TEST(FailPlanTest, SaysWhereAnExceptionLeftIt) {
    ::testing::internal::CaptureStderr();
    try {
        for (fail_plan plan; plan.again();) {
            plan.due();
            if (plan.due())
                throw 1;
        }
    } catch (int) {
    }
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("fail_plan: step 1 of run 2, reached"), std::string::npos);
}

// Writes `count` times eight bytes through an output over the sink.
struct rendering {
    explicit rendering(int count, output_options options = output_options().pool(&small()).high_water(16))
        : sink(clock),
          out(sink, options),
          task(
              [](output& to, int n) -> coro::task<> {
                  for (int i = 0; i < n; ++i) {
                      to.append("01234567", 8);
                      co_await detail::written(to);
                  }
                  co_await detail::drained(to, detail::wait_for::finish);
              }(out, count),
              clock) {
        out.attach(task.chain->environment());
        task.start();
    }
    static chunk_pool& small() {
        static chunk_pool pool(16);
        return pool;
    }
    manual_clock clock;
    holding_sink sink;
    output out;
    runner task;
};

TEST(HoldingSinkTest, HoldsAWriterUntilItAccepts) {
    rendering render(100);
    render.clock.run();
    EXPECT_EQ(render.sink.received(), "");
    EXPECT_TRUE(render.sink.writing());
    EXPECT_FALSE(render.task.ended);
    EXPECT_LE(render.out.bytes_written(), 16u + render.out.overrun());
    while (render.sink.accept(3) != 0 || render.clock.run() != 0) {
    }
    EXPECT_TRUE(render.task.ended);
    EXPECT_TRUE(render.sink.complete());
    EXPECT_EQ(render.sink.received().size(), 800u);
    EXPECT_EQ(render.sink.received().substr(792), "01234567");
    EXPECT_GT(render.out.suspensions(), 0u);
    EXPECT_EQ(render.sink.misuse(), "");
}

TEST(HoldingSinkTest, AcceptsEverythingWhenTold) {
    rendering render(50);
    render.sink.accept_everything();
    render.clock.run();
    EXPECT_TRUE(render.sink.complete());
    EXPECT_EQ(render.sink.received().size(), 400u);
}

TEST(HoldingSinkTest, FailsTheWriteItIsToldTo) {
    for (std::size_t n = 0; n < 4; ++n) {
        rendering render(100);
        render.sink.accept_everything();
        render.sink.fail_write(n, std::make_error_code(std::errc::broken_pipe), 5);
        render.clock.run();
        EXPECT_TRUE(render.task.ended);
        EXPECT_TRUE(render.task.chain->failed());
        // The write that was pending when the failure was planned is not counted.
        EXPECT_EQ(render.sink.writes().size(), n + 2);
        EXPECT_EQ(render.sink.received().size() % 8, 5u);
        EXPECT_FALSE(render.sink.complete());
        EXPECT_EQ(render.sink.misuse(), "");
        EXPECT_EQ(render.out.error(), std::errc::broken_pipe);
    }
}

TEST(HoldingSinkTest, EndsACancelledWrite) {
    struct listener final : write_listener {
        void written(std::error_code error) noexcept override { outcome = error; }
        std::optional<std::error_code> outcome;
    } heard;
    manual_clock clock;
    holding_sink sink(clock);
    std::error_code error;
    batch bytes;
    bytes.add(shared_bytes(std::string("abc")));
    EXPECT_EQ(sink.write(std::move(bytes), false, heard, error), sink::progress::pending);
    sink.accept(2);
    sink.cancel();
    EXPECT_FALSE(heard.outcome);
    clock.run();
    EXPECT_EQ(heard.outcome, std::make_error_code(std::errc::operation_canceled));
    EXPECT_EQ(sink.received(), "ab");
}

TEST(HoldingSinkTest, ReportsMisuse) {
    struct listener final : write_listener {
        void written(std::error_code) noexcept override {}
    } heard;
    const auto abc = [] {
        batch bytes;
        bytes.add(shared_bytes(std::string("abc")));
        return bytes;
    };
    manual_clock clock;
    std::error_code error;
    {
        holding_sink sink(clock);
        sink.write(abc(), false, heard, error);
        EXPECT_FALSE(error);
        sink.write(abc(), false, heard, error);
        EXPECT_TRUE(error);
        EXPECT_EQ(sink.misuse(), "a write while another is pending");
    }
    {
        holding_sink sink(clock);
        sink.detach();
        sink.write(abc(), false, heard, error);
        EXPECT_EQ(sink.misuse(), "a write after detach");
    }
    {
        holding_sink sink(clock);
        sink.write(abc(), true, heard, error);
        sink.accept();
        clock.run();
        sink.write(abc(), false, heard, error);
        EXPECT_EQ(sink.misuse(), "a write after the last");
    }
}

TEST(HoldingSinkTest, SaysNothingToAListenerThatHasGone) {
    manual_clock clock;
    holding_sink sink(clock);
    {
        struct listener final : write_listener {
            void written(std::error_code) noexcept override { FAIL(); }
        } heard;
        std::error_code error;
        batch bytes;
        bytes.add(shared_bytes(std::string("abc")));
        sink.write(std::move(bytes), false, heard, error);
        sink.accept();
        sink.detach();
    }
    clock.run();
    EXPECT_EQ(sink.received(), "abc");
}

} // namespace
} // namespace sluice
