#include <sluice/coro/async_manual_reset_event.hpp>
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/this_chain.hpp>
#include <sluice/coro/wait.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <stop_token>
#include <thread>

namespace sluice::coro {
namespace {

TEST(SyncWaitTest, RunsTheTaskOnTheCallingThread) {
    struct coroutines {
        static task<bool> same_thread(std::thread::id caller) {
            const bool before = std::this_thread::get_id() == caller;
            co_await yield();
            const bool after = std::this_thread::get_id() == caller;
            co_return (before && after);
        }
    };
    EXPECT_TRUE(sync_wait(coroutines::same_thread(std::this_thread::get_id())));
}

TEST(SyncWaitTest, WakesForAPostFromAnotherThread) {
    async_manual_reset_event event;
    std::thread other([&] { event.set(); });
    sync_wait(event.wait());
    other.join();
    EXPECT_TRUE(event.is_set());
}

TEST(SyncWaitTest, ExposesItsSchedulerAndClock) {
    struct coroutines {
        static task<bool> clock_is_real() {
            scheduler& here = co_await current_scheduler();
            const auto before = scheduler::clock::now();
            const auto between = here.now();
            co_return (before <= between && between <= scheduler::clock::now());
        }
    };
    EXPECT_TRUE(sync_wait(coroutines::clock_is_real()));
}

TEST(SyncWaitTest, TakesAnyAwaitableAndReturnsItsResult) {
    struct ready {
        int value;
        bool await_ready() const noexcept { return true; }
        void await_suspend(std::coroutine_handle<>) const noexcept {}
        int& await_resume() noexcept { return value; }
    };
    ready awaitable{3};
    EXPECT_EQ(&sync_wait(awaitable), &awaitable.value);
}

TEST(SyncWaitTest, GivesTheTaskTheStopToken) {
    std::stop_source source;
    source.request_stop();
    EXPECT_TRUE(sync_wait(current_stop_token(), source.get_token()).stop_requested());
    EXPECT_FALSE(sync_wait(current_stop_token()).stop_possible());
    EXPECT_THROW(sync_wait(wait_for(std::chrono::hours(1)), source.get_token()), operation_cancelled);
}

TEST(SyncWaitTest, AStopFromAnotherThreadEndsAWait) {
    std::stop_source source;
    std::thread other([&] { source.request_stop(); });
    EXPECT_THROW(sync_wait(wait_for(std::chrono::hours(1)), source.get_token()), operation_cancelled);
    other.join();
}

TEST(SyncWaitTest, NestsInATask) {
    struct coroutines {
        static task<int> inner() {
            co_await yield();
            co_return 2;
        }
        static task<int> outer() {
            co_await yield();
            const int result = sync_wait(inner());
            co_await yield();
            co_return result;
        }
    };
    EXPECT_EQ(sync_wait(coroutines::outer()), 2);
}

} // namespace
} // namespace sluice::coro
