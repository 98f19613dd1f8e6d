#include "support.hpp"
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/this_chain.hpp>

#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <vector>

namespace sluice::coro {
namespace {

TEST(ThisChainTest, AChainWithoutSchedulerSaysSo) {
    struct coroutines {
        static task<> ask() { (void)co_await current_scheduler(); }
        static task<> hop() { co_await yield(); }
    };
    test::dropped_chain asking(coroutines::ask(), {});
    asking.start();
    ASSERT_TRUE(asking.ended());
    EXPECT_THROW((*asking).result(), no_scheduler);
    test::dropped_chain hopping(coroutines::hop(), {});
    hopping.start();
    ASSERT_TRUE(hopping.ended());
    EXPECT_THROW((*hopping).result(), no_scheduler);
}

TEST(ThisChainTest, ChildrenSeeTheirParentsChain) {
    run_loop loop;
    std::stop_source source;
    struct coroutines {
        static task<scheduler*> child() { co_return &co_await current_scheduler(); }
        static task<bool> parent(scheduler* expected) {
            co_return co_await child() == expected && (co_await current_stop_token()).stop_possible();
        }
    };
    test::dropped_chain asking(coroutines::parent(&loop), loop, source.get_token());
    asking.start();
    ASSERT_TRUE(asking.ended());
    EXPECT_TRUE((*asking).result());
}

TEST(ThisChainTest, YieldLetsOthersRunInTurn) {
    run_loop loop;
    std::string order;
    struct coroutines {
        static task<> writes(std::string& to, char name) {
            for (int i = 0; i < 3; ++i) {
                to += name;
                co_await yield();
            }
        }
    };
    test::dropped_chain first(coroutines::writes(order, 'a'), environment(&loop));
    test::dropped_chain second(coroutines::writes(order, 'b'), environment(&loop));
    first.start();
    second.start();
    test::drain(loop);
    EXPECT_EQ(order, "ababab");
}

TEST(ThisChainTest, YieldSeesAStopBeforeAndAfter) {
    run_loop loop;
    std::stop_source source;
    struct coroutines {
        static task<int> count(std::stop_source& stop) {
            co_await yield();
            stop.request_stop();
            co_await yield();
            co_return 1;
        }
    };
    EXPECT_THROW(sync_wait(coroutines::count(source), source.get_token()), operation_cancelled);

    std::stop_source later;
    test::dropped_chain waiting([]() -> task<> { co_await yield(); }(), loop, later.get_token());
    waiting.start();
    later.request_stop();
    test::drain(loop);
    ASSERT_TRUE(waiting.ended());
    EXPECT_THROW((*waiting).result(), operation_cancelled);
}

TEST(ThisChainTest, DroppingAYieldWithdrawsIt) {
    run_loop loop;
    bool went_on = false;
    test::dropped_chain dropped(
        [](bool& flag) -> task<> {
            co_await yield();
            flag = true;
        }(went_on),
        environment(&loop));
    dropped.start();
    dropped.drop();
    test::drain(loop);
    EXPECT_FALSE(went_on);
}

} // namespace
} // namespace sluice::coro
