#include "support.hpp"
#include <sluice/coro/async_semaphore.hpp>
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/this_chain.hpp>
#include <sluice/coro/when_all.hpp>

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace sluice::coro {
namespace {

using test::dropped_chain;

task<> takes(async_semaphore& permits, std::string& order, char name) {
    co_await permits.acquire();
    order += name;
}

TEST(AsyncSemaphoreTest, GivesPermitsInTheOrderOfWaiting) {
    run_loop loop;
    async_semaphore permits(1);
    std::string order;
    dropped_chain first(takes(permits, order, 'a'), environment(&loop));
    dropped_chain second(takes(permits, order, 'b'), environment(&loop));
    dropped_chain third(takes(permits, order, 'c'), environment(&loop));
    first.start();
    second.start();
    third.start();
    EXPECT_EQ(order, "a");
    permits.release();
    EXPECT_FALSE(permits.try_acquire()) << "a released permit is the longest waiter's";
    test::drain(loop);
    EXPECT_EQ(order, "ab");
    permits.release(3);
    test::drain(loop);
    EXPECT_EQ(order, "abc");
    EXPECT_EQ(permits.available(), 2u);
}

TEST(AsyncSemaphoreTest, AStoppedWaiterLosesItsPlaceAndNoPermit) {
    run_loop loop;
    async_semaphore permits(0);
    std::stop_source source;
    std::string order;
    dropped_chain stopped(takes(permits, order, 'a'), loop, source.get_token());
    dropped_chain next(takes(permits, order, 'b'), environment(&loop));
    stopped.start();
    next.start();
    source.request_stop();
    permits.release();
    test::drain(loop);
    EXPECT_EQ(order, "b");
    ASSERT_TRUE(stopped.ended());
    EXPECT_THROW((*stopped).result(), operation_cancelled);
    EXPECT_EQ(permits.available(), 0u);
}

TEST(AsyncSemaphoreTest, AStopAfterThePermitWasGivenIsTooLate) {
    run_loop loop;
    async_semaphore permits(0);
    std::stop_source source;
    std::string order;
    dropped_chain given(takes(permits, order, 'a'), loop, source.get_token());
    given.start();
    permits.release();
    source.request_stop();
    test::drain(loop);
    EXPECT_EQ(order, "a");
}

TEST(AsyncSemaphoreTest, ADroppedWaiterHandsItsPermitToTheNext) {
    run_loop loop;
    async_semaphore permits(0);
    std::string order;
    dropped_chain waiting(takes(permits, order, 'a'), environment(&loop));
    dropped_chain given(takes(permits, order, 'b'), environment(&loop));
    dropped_chain next(takes(permits, order, 'c'), environment(&loop));
    waiting.start();
    given.start();
    next.start();
    waiting.drop();
    permits.release();
    given.drop();
    test::drain(loop);
    EXPECT_EQ(order, "c");
    EXPECT_EQ(permits.available(), 0u);
}

TEST(AsyncSemaphoreTest, HoldersBoundHowManyRunAtOnce) {
    struct coroutines {
        static task<> works(async_semaphore& permits, int& inside, int& most) {
            co_await permits.acquire();
            const async_semaphore::holder hold(permits);
            most = std::max(most, ++inside);
            for (int i = 0; i < 3; ++i)
                co_await yield();
            --inside;
        }
    };
    async_semaphore permits(3);
    int inside = 0;
    int most = 0;
    std::vector<task<>> all;
    for (int i = 0; i < 50; ++i)
        all.push_back(coroutines::works(permits, inside, most));
    sync_wait(when_all(std::move(all)));
    EXPECT_EQ(most, 3);
    EXPECT_EQ(permits.available(), 3u);
}

TEST(AsyncSemaphoreTest, PermitsPassBetweenThreads) {
    async_semaphore permits(1);
    int guarded = 0; // by the permit
    struct coroutines {
        static task<> counts(async_semaphore& permits, int& count) {
            for (int i = 0; i < 1000; ++i) {
                co_await permits.acquire();
                ++count;
                permits.release();
            }
        }
    };
    std::thread other([&] { sync_wait(coroutines::counts(permits, guarded)); });
    sync_wait(when_all(coroutines::counts(permits, guarded), coroutines::counts(permits, guarded)));
    other.join();
    EXPECT_EQ(guarded, 3000);
    EXPECT_EQ(permits.available(), 1u);
}

} // namespace
} // namespace sluice::coro
