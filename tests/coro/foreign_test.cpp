#include "foreign_awaitables.hpp"
#include "support.hpp"
#include <sluice/coro/foreign.hpp>
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/when_all.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace sluice::coro {
namespace {

using namespace test;
using log = std::vector<std::string>;

foreign_task value_of(int n) {
    co_return n;
}

foreign_task fails() {
    throw std::runtime_error("foreign");
    co_return 0;
}

TEST(ForeignTest, AForeignTasksResultOrExceptionArrives) {
    EXPECT_EQ(sync_wait(value_of(4)), 4);
    EXPECT_THROW(sync_wait(fails()), std::runtime_error);
}

TEST(ForeignTest, EveryFormOfAwaitSuspendWorks) {
    struct ready {
        bool await_ready() const noexcept { return true; }
        void await_suspend(std::coroutine_handle<>) const noexcept { ADD_FAILURE() << "it is ready"; }
        int await_resume() const noexcept { return 1; }
    };
    struct coroutines {
        static task<int> all() {
            co_await resumes_at_once();
            co_await declines_to_wait();
            co_await std::suspend_never();
            co_return co_await ready();
        }
    };
    EXPECT_EQ(sync_wait(coroutines::all()), 1);
}

TEST(ForeignTest, WhatAwaitSuspendThrowsArrives) {
    struct refuses {
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<>) const { throw std::runtime_error("refused"); }
        void await_resume() const noexcept {}
    };
    EXPECT_THROW(sync_wait(refuses()), std::runtime_error);
}

TEST(ForeignTest, ACompletionElsewhereResumesTheChainOnItsScheduler) {
    run_loop loop;
    std::coroutine_handle<> waiting;
    bool went_on = false;
    dropped_chain chain(
        [](std::coroutine_handle<>& to, bool& flag) -> task<> {
            EXPECT_EQ(co_await waits_for_someone{to}, 9);
            flag = true;
        }(waiting, went_on),
        environment(&loop));
    chain.start();
    waiting.resume();
    EXPECT_FALSE(went_on);
    drain(loop);
    EXPECT_TRUE(went_on);
}

TEST(ForeignTest, WithoutASchedulerTheChainGoesOnWhereItIsCompleted) {
    std::coroutine_handle<> waiting;
    dropped_chain chain(
        [](std::coroutine_handle<>& to) -> task<> {
            co_await waits_for_someone{to};
            co_await waits_for_someone{to};
        }(waiting),
        {});
    chain.start();
    waiting.resume();
    EXPECT_FALSE(chain.ended());
    waiting.resume();
    EXPECT_TRUE(chain.ended());
}

TEST(ForeignTest, ACompletionMayRaceWithTheStart) {
    struct on_a_thread {
        std::thread& runs;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> waiting) const {
            runs = std::thread([waiting] { waiting.resume(); });
        }
        void await_resume() const noexcept {}
    };
    struct coroutines {
        static task<> many() {
            const auto here = std::this_thread::get_id();
            for (int i = 0; i < 1000; ++i) {
                std::thread other;
                co_await on_a_thread{other};
                EXPECT_EQ(std::this_thread::get_id(), here);
                other.join();
            }
        }
    };
    sync_wait(coroutines::many());
}

TEST(ForeignTest, DroppingAChainDestroysTheForeignTaskItAwaits) {
    log order;
    struct coroutines {
        static foreign_task waits(log& to, std::coroutine_handle<>& waiting) {
            const note local(to, "foreign");
            co_return co_await waits_for_someone{waiting};
        }
        static task<> awaits(log& to, std::coroutine_handle<>& waiting) {
            const note local(to, "ours");
            (void)co_await waits(to, waiting);
        }
    };
    std::coroutine_handle<> waiting;
    dropped_chain chain(coroutines::awaits(order, waiting), {});
    chain.start();
    chain.drop();
    EXPECT_EQ(order, (log{"foreign", "ours"}));
}

TEST(ForeignTest, WhatIsPostedWhenTheChainIsDroppedNeverRuns) {
    run_loop loop;
    std::coroutine_handle<> waiting;
    bool went_on = false;
    dropped_chain chain(
        [](std::coroutine_handle<>& to, bool& flag) -> task<> {
            co_await waits_for_someone{to};
            flag = true;
        }(waiting, went_on),
        environment(&loop));
    chain.start();
    waiting.resume();
    chain.drop();
    drain(loop);
    EXPECT_FALSE(went_on);
}

} // namespace
} // namespace sluice::coro
