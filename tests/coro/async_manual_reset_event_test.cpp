#include "support.hpp"
#include <sluice/coro/async_manual_reset_event.hpp>
#include <sluice/coro/sync_wait.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

namespace sluice::coro {
namespace {

using test::dropped_chain;

task<> waits(async_manual_reset_event& event, std::string& order, char name) {
    co_await event.wait();
    order += name;
}

TEST(AsyncManualResetEventTest, HoldsWaitersUntilItIsSet) {
    run_loop loop;
    async_manual_reset_event event;
    std::string order;
    dropped_chain first(waits(event, order, 'a'), environment(&loop));
    dropped_chain second(waits(event, order, 'b'), environment(&loop));
    first.start();
    second.start();
    EXPECT_EQ(order, "");
    event.set();
    EXPECT_EQ(order, "") << "set runs no coroutine itself";
    test::drain(loop);
    EXPECT_EQ(order, "ab");
}

TEST(AsyncManualResetEventTest, ASetEventIsReadyUntilReset) {
    run_loop loop;
    async_manual_reset_event event(true);
    std::string order;
    dropped_chain ready(waits(event, order, 'a'), {});
    ready.start();
    EXPECT_EQ(order, "a");
    event.reset();
    EXPECT_FALSE(event.is_set());
    dropped_chain waiting(waits(event, order, 'b'), environment(&loop));
    waiting.start();
    event.set();
    event.reset();
    test::drain(loop);
    EXPECT_EQ(order, "ab") << "what was completed stays complete";
}

TEST(AsyncManualResetEventTest, AStopEndsOneWait) {
    run_loop loop;
    async_manual_reset_event event;
    std::stop_source source;
    std::string order;
    dropped_chain stopped(waits(event, order, 'a'), loop, source.get_token());
    dropped_chain stays(waits(event, order, 'b'), environment(&loop));
    stopped.start();
    stays.start();
    source.request_stop();
    test::drain(loop);
    ASSERT_TRUE(stopped.ended());
    EXPECT_THROW((*stopped).result(), operation_cancelled);
    EXPECT_FALSE(stays.ended());
    event.set();
    test::drain(loop);
    EXPECT_EQ(order, "b");
}

TEST(AsyncManualResetEventTest, AStopBeforeTheWaitEndsItAtOnceButASetEventWins) {
    run_loop loop;
    async_manual_reset_event event;
    std::stop_source source;
    source.request_stop();
    std::string order;
    dropped_chain stopped(waits(event, order, 'a'), loop, source.get_token());
    stopped.start();
    ASSERT_TRUE(stopped.ended());
    EXPECT_THROW((*stopped).result(), operation_cancelled);
    event.set();
    dropped_chain ready(waits(event, order, 'b'), loop, source.get_token());
    ready.start();
    EXPECT_EQ(order, "b");
}

TEST(AsyncManualResetEventTest, ADroppedWaiterIsForgotten) {
    run_loop loop;
    async_manual_reset_event event;
    std::string order;
    std::stop_source source;
    dropped_chain waiting(waits(event, order, 'a'), loop, source.get_token());
    dropped_chain posted(waits(event, order, 'b'), environment(&loop));
    dropped_chain stays(waits(event, order, 'c'), environment(&loop));
    waiting.start();
    posted.start();
    stays.start();
    waiting.drop();
    source.request_stop();
    event.set();
    posted.drop();
    test::drain(loop);
    EXPECT_EQ(order, "c");
}

TEST(AsyncManualResetEventTest, WithoutASchedulerAWaitThrows) {
    async_manual_reset_event event;
    std::string order;
    dropped_chain waiting(waits(event, order, 'a'), {});
    waiting.start();
    ASSERT_TRUE(waiting.ended());
    EXPECT_THROW((*waiting).result(), no_scheduler);
}

TEST(AsyncManualResetEventTest, MayBeDestroyedByTheCoroutineItWakes) {
    for (int i = 0; i < 500; ++i) {
        auto event = std::make_unique<async_manual_reset_event>();
        std::thread other([&set = *event] { set.set(); });
        sync_wait([](std::unique_ptr<async_manual_reset_event> owned) -> task<> {
            co_await owned->wait();
        }(std::move(event)));
        other.join();
    }
}

} // namespace
} // namespace sluice::coro
