#include "support.hpp"
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/this_chain.hpp>
#include <sluice/coro/wait.hpp>
#include <sluice/coro/when_all.hpp>

#include <gtest/gtest.h>

#include <string>

namespace sluice::coro {
namespace {

using namespace std::chrono_literals;

// A scheduler whose time stands still until a test moves it.
class stopped_clock final : public scheduler {
public:
    time_point now() const noexcept override { return now_; }
    void post(scheduled& item) override {
        item.set_pending(this, nullptr);
        posted_.push_back(item);
    }
    void wait_until(scheduled& item, time_point when) override {
        item.set_pending(this, nullptr);
        ASSERT_EQ(waiting_, nullptr);
        waiting_ = &item;
        when_ = when;
    }
    void run_posted() {
        while (scheduled* item = posted_.pop_front())
            take(item);
    }
    void advance(duration by) {
        now_ += by;
        if (waiting_ != nullptr && now_ >= when_)
            take(std::exchange(waiting_, nullptr));
    }
    bool armed() const noexcept { return waiting_ != nullptr; }

private:
    static void take(scheduled* item) {
        item->set_pending(nullptr, nullptr);
        item->run();
    }
    void forget(scheduled& item) noexcept override {
        if (waiting_ == &item)
            waiting_ = nullptr;
        else
            posted_.remove(item);
    }
    time_point now_{};
    time_point when_{};
    scheduled* waiting_ = nullptr;
    scheduled_queue posted_;
};

task<> sleeps(scheduler::duration delay) {
    co_await wait_for(delay);
}

TEST(WaitTest, CompletesWhenTheClockSaysSoAndNotBefore) {
    stopped_clock clock;
    test::dropped_chain sleeper(sleeps(10ms), environment(&clock));
    sleeper.start();
    clock.advance(9ms);
    EXPECT_FALSE(sleeper.ended());
    clock.advance(1ms);
    ASSERT_TRUE(sleeper.ended());
    EXPECT_NO_THROW((*sleeper).result());
}

TEST(WaitTest, ATimeThatHasComeCompletesAtOnce) {
    stopped_clock clock;
    test::dropped_chain sleeper(
        [](scheduler::time_point when) -> task<> {
            co_await wait_until(when);
            co_await wait_for(0s);
            co_await wait_for(-1h);
        }(clock.now()),
        environment(&clock));
    sleeper.start();
    EXPECT_TRUE(sleeper.ended());
}

TEST(WaitTest, ADelayPastTheEndOfTimeIsStillAWait) {
    stopped_clock clock;
    clock.advance(1h);
    test::dropped_chain sleeper(sleeps(scheduler::duration::max()), environment(&clock));
    sleeper.start();
    EXPECT_FALSE(sleeper.ended());
    EXPECT_TRUE(clock.armed());
}

TEST(WaitTest, AStopWithdrawsTheTimerAndThrows) {
    stopped_clock clock;
    std::stop_source source;
    test::dropped_chain sleeper(sleeps(1h), clock, source.get_token());
    sleeper.start();
    EXPECT_TRUE(clock.armed());
    source.request_stop();
    EXPECT_FALSE(sleeper.ended()) << "a stop may come from any thread: it runs nothing itself";
    clock.run_posted();
    ASSERT_TRUE(sleeper.ended());
    EXPECT_FALSE(clock.armed());
    EXPECT_THROW((*sleeper).result(), operation_cancelled);
}

TEST(WaitTest, AStopThatWasAskedForBeforeWaitsForNothing) {
    stopped_clock clock;
    std::stop_source source;
    source.request_stop();
    test::dropped_chain sleeper(sleeps(1h), clock, source.get_token());
    sleeper.start();
    ASSERT_TRUE(sleeper.ended());
    EXPECT_THROW((*sleeper).result(), operation_cancelled);
}

TEST(WaitTest, ATimerThatFiresAfterTheStopWasAskedForEndsTheWaitOnce) {
    stopped_clock clock;
    std::stop_source source;
    test::dropped_chain sleeper(sleeps(1ms), clock, source.get_token());
    sleeper.start();
    source.request_stop(); // posted, not yet run
    clock.advance(1ms);
    ASSERT_TRUE(sleeper.ended());
    clock.run_posted();
    EXPECT_NO_THROW((*sleeper).result());
}

TEST(WaitTest, AStoppedTimerIsWithdrawnThoughItsAwaiterLivesOn) {
    stopped_clock clock;
    std::stop_source source;
    test::dropped_chain sleeper(
        []() -> task<> {
            wait_for named(1h);
            try {
                co_await named;
            } catch (const operation_cancelled&) {
            }
            co_await test::forever();
        }(),
        clock, source.get_token());
    sleeper.start();
    source.request_stop();
    clock.run_posted();
    EXPECT_FALSE(sleeper.ended());
    EXPECT_FALSE(clock.armed());
}

TEST(WaitTest, DroppingItWithdrawsTheTimerAndTheStop) {
    stopped_clock clock;
    std::stop_source source;
    {
        test::dropped_chain sleeper(sleeps(1h), clock, source.get_token());
        sleeper.start();
        EXPECT_TRUE(clock.armed());
    }
    EXPECT_FALSE(clock.armed());
    {
        test::dropped_chain sleeper(sleeps(1h), clock, source.get_token());
        sleeper.start();
        source.request_stop();
    }
    EXPECT_FALSE(clock.armed());
    clock.run_posted();
}

TEST(WaitTest, WithoutASchedulerItThrows) {
    test::dropped_chain sleeper(sleeps(1h), {});
    sleeper.start();
    ASSERT_TRUE(sleeper.ended());
    EXPECT_THROW((*sleeper).result(), no_scheduler);
}

TEST(WaitTest, TimersOfARunLoopEndInTheOrderOfTheirTimes) {
    std::string order;
    struct coroutines {
        static task<> writes(std::string& to, scheduler::time_point when, char name) {
            co_await wait_until(when);
            to += name;
        }
        static task<> all(std::string& to) {
            const auto now = (co_await current_scheduler()).now();
            co_await when_all(writes(to, now + 3ms, 'c'), writes(to, now + 1ms, 'a'), writes(to, now + 2ms, 'b'));
        }
    };
    sync_wait(coroutines::all(order));
    EXPECT_EQ(order, "abc");
}

} // namespace
} // namespace sluice::coro
