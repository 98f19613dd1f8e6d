#include "support.hpp"
#include <sluice/coro/resume_on.hpp>
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/this_chain.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace sluice::coro {
namespace {

TEST(ResumeOnTest, MovesTheWholeChainAndSyncWaitReturnsAtHome) {
    run_loop loop;
    std::thread other([&] { loop.run(); });
    struct coroutines {
        static task<> hops(run_loop& to) { co_await resume_on(to); }
        static task<bool> parent(run_loop& to) {
            co_await hops(to);
            const auto there = std::this_thread::get_id();
            co_await yield();
            scheduler* const now = &co_await current_scheduler();
            co_return (std::this_thread::get_id() == there && now == &to);
        }
    };
    const auto here = std::this_thread::get_id();
    EXPECT_TRUE(sync_wait(coroutines::parent(loop)));
    EXPECT_EQ(std::this_thread::get_id(), here);
    loop.finish();
    other.join();
}

TEST(ResumeOnTest, AChainHopsBetweenTwoThreads) {
    run_loop first_loop;
    run_loop second_loop;
    std::thread first([&] { first_loop.run(); });
    std::thread second([&] { second_loop.run(); });
    struct coroutines {
        static task<int> child(run_loop& to, int n) {
            co_await resume_on(to);
            co_return n;
        }
        static task<int> ping(run_loop& a, run_loop& b) {
            int sum = 0;
            for (int i = 0; i < 2000; ++i) {
                sum += co_await child(a, 1);
                sum += co_await child(b, 2);
            }
            co_return sum;
        }
    };
    EXPECT_EQ(sync_wait(coroutines::ping(first_loop, second_loop)), 6000);
    first_loop.finish();
    second_loop.finish();
    first.join();
    second.join();
}

TEST(ResumeOnTest, IsReadyWhereTheChainRunsAlready) {
    run_loop loop;
    test::dropped_chain there([](run_loop& to) -> task<> { co_await resume_on(to); }(loop), environment(&loop));
    there.start();
    EXPECT_TRUE(there.ended());
}

TEST(ResumeOnTest, ARenderMayNotLeaveItsScheduler) {
    std::vector<std::string> heard;
    test::logging_observer observer(heard);
    run_loop home;
    run_loop elsewhere;
    test::dropped_chain render([](run_loop& to) -> task<> { co_await resume_on(to); }(elsewhere),
                               environment(&home, {}, &observer));
    render.start();
    ASSERT_TRUE(render.ended());
    EXPECT_THROW((*render).result(), std::logic_error);
    EXPECT_EQ((*render).environment().context, &home);
}

} // namespace
} // namespace sluice::coro
