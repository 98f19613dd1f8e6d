#include "support.hpp"
#include <sluice/coro/async_scope.hpp>
#include <sluice/coro/operation_cancelled.hpp>
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/this_chain.hpp>
#include <sluice/coro/wait.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace sluice::coro {
namespace {

using test::dropped_chain;
using test::forever;
using test::note;
using log = std::vector<std::string>;

task<> counts(int& count, int hops) {
    for (int i = 0; i < hops; ++i)
        co_await yield();
    ++count;
}

task<> fails_after(int hops) {
    for (int i = 0; i < hops; ++i)
        co_await yield();
    throw std::runtime_error("spawned");
}

task<> sleeps() {
    co_await wait_for(std::chrono::hours(1));
}

TEST(AsyncScopeTest, JoinWaitsForEverySpawnedTask) {
    struct coroutines {
        static task<int> all() {
            int count = 0;
            async_scope scope(co_await current_scheduler());
            for (int i = 0; i < 20; ++i)
                scope.spawn(counts(count, i % 5));
            EXPECT_EQ(count, 0) << "spawn runs nothing itself";
            EXPECT_EQ(scope.running(), 20u);
            co_await scope.join();
            EXPECT_EQ(scope.running(), 0u);
            co_await scope.join();
            co_return count;
        }
    };
    EXPECT_EQ(sync_wait(coroutines::all()), 20);
}

TEST(AsyncScopeTest, ATaskMaySpawnOthersWhileItIsJoined) {
    struct coroutines {
        static task<> spawns(async_scope& scope, int depth, int& count) {
            ++count;
            co_await yield();
            if (depth > 0) {
                scope.spawn(spawns(scope, depth - 1, count));
                scope.spawn(spawns(scope, depth - 1, count));
            }
        }
        static task<int> all() {
            int count = 0;
            async_scope scope(co_await current_scheduler());
            scope.spawn(spawns(scope, 5, count));
            co_await scope.join();
            co_return count;
        }
    };
    EXPECT_EQ(sync_wait(coroutines::all()), 63);
}

TEST(AsyncScopeTest, TheFirstFailureStopsTheOthersAndIsRethrownByJoin) {
    struct coroutines {
        static task<> all() {
            async_scope scope(co_await current_scheduler());
            scope.spawn(sleeps());
            scope.spawn(fails_after(2));
            scope.spawn(sleeps());
            co_await scope.join();
        }
    };
    EXPECT_THROW(sync_wait(coroutines::all()), std::runtime_error);
}

TEST(AsyncScopeTest, RequestStopEndsItsTasksAndIsNoFailure) {
    struct coroutines {
        static task<> all() {
            async_scope scope(co_await current_scheduler());
            scope.spawn(sleeps());
            scope.spawn(sleeps());
            scope.request_stop();
            scope.spawn(sleeps());
            co_await scope.join();
        }
    };
    EXPECT_NO_THROW(sync_wait(coroutines::all()));
}

TEST(AsyncScopeTest, AStopOfTheJoiningChainOrOfTheGivenTokenIsPassedOn) {
    struct coroutines {
        static task<bool> joins(std::stop_token given) {
            async_scope scope(co_await current_scheduler(), given);
            scope.spawn(sleeps());
            co_await scope.join();
            co_return true;
        }
    };
    std::stop_source source;
    std::thread other([&] { source.request_stop(); });
    EXPECT_TRUE(sync_wait(coroutines::joins({}), source.get_token()));
    EXPECT_TRUE(sync_wait(coroutines::joins(source.get_token())));
    other.join();
}

TEST(AsyncScopeTest, FramesAreGoneWhenJoinCompletes) {
    log order;
    struct coroutines {
        static task<> holds(note) { co_await yield(); }
        static task<> all(log& to) {
            async_scope scope(co_await current_scheduler());
            scope.spawn(holds(note(to, "parameter")));
            co_await scope.join();
            to.push_back("joined");
        }
    };
    sync_wait(coroutines::all(order));
    EXPECT_EQ(order, (log{"parameter", "joined"}));
}

TEST(AsyncScopeTest, DroppingAJoiningFrameDestroysTheSpawnedTasks) {
    log order;
    run_loop loop;
    struct coroutines {
        static task<> waits(log& to, std::string name) {
            const note local(to, name);
            co_await forever();
        }
        static task<> all(log& to) {
            const note local(to, "scope's frame");
            async_scope scope(co_await current_scheduler());
            scope.spawn(waits(to, "first"));
            scope.spawn(waits(to, "second"));
            co_await scope.join();
        }
    };
    dropped_chain dropped(coroutines::all(order), environment(&loop));
    dropped.start();
    test::drain(loop);
    dropped.drop();
    EXPECT_EQ(order, (log{"second", "first", "scope's frame"}));

    order.clear();
    dropped_chain unstarted(coroutines::all(order), environment(&loop));
    unstarted.start();
    unstarted.drop(); // the spawned tasks are posted, not yet begun
    test::drain(loop);
    EXPECT_EQ(order, (log{"scope's frame"}));
}

TEST(AsyncScopeTest, TakesTasksFromAnotherThread) {
    struct coroutines {
        static task<int> all() {
            int count = 0;
            async_scope scope(co_await current_scheduler());
            std::thread other([&] {
                for (int i = 0; i < 500; ++i)
                    scope.spawn(counts(count, i % 3));
            });
            for (int i = 0; i < 500; ++i)
                scope.spawn(counts(count, i % 3));
            for (int i = 0; i < 20; ++i)
                co_await yield();
            other.join();
            co_await scope.join();
            co_return count;
        }
    };
    EXPECT_EQ(sync_wait(coroutines::all()), 1000);
}

} // namespace
} // namespace sluice::coro
