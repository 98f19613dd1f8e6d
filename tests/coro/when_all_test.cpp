#include "support.hpp"
#include <sluice/coro/resume_on.hpp>
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/this_chain.hpp>
#include <sluice/coro/wait.hpp>
#include <sluice/coro/when_all.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
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

task<int> number(int n, int hops = 0) {
    for (int i = 0; i < hops; ++i)
        co_await yield();
    co_return n;
}

task<> fails(std::string what, int hops = 0) {
    for (int i = 0; i < hops; ++i)
        co_await yield();
    throw std::runtime_error(what);
}

TEST(WhenAllTest, GivesEveryResultInItsPlace) {
    int object = 7;
    struct coroutines {
        static task<std::unique_ptr<int>> owner() {
            co_await yield();
            co_return std::make_unique<int>(2);
        }
        static task<int&> reference(int& to) { co_return to; }
        static task<> nothing() { co_return; }
        static task<> all(int& object) {
            auto results = co_await when_all(number(1, 3), owner(), reference(object), nothing());
            EXPECT_EQ(results.get<0>(), 1);
            EXPECT_EQ(*std::move(results).get<1>(), 2);
            EXPECT_EQ(&results.get<2>(), &object);
            EXPECT_EQ(results.get<3>(), std::monostate());
        }
    };
    sync_wait(coroutines::all(object));
}

TEST(WhenAllTest, OfARangeGivesAVector) {
    struct coroutines {
        static task<int&> reference(int& to) { co_return to; }
        static task<> all() {
            std::vector<task<int>> numbers;
            for (int i = 0; i < 100; ++i)
                numbers.push_back(number(i, i % 4));
            const std::vector<int> results = co_await when_all(std::move(numbers));
            EXPECT_EQ(results.size(), 100u);
            for (int i = 0; i < 100; ++i)
                EXPECT_EQ(results.at(static_cast<std::size_t>(i)), i);

            int object = 1;
            std::vector<task<int&>> references;
            references.push_back(reference(object));
            EXPECT_EQ(&(co_await when_all(std::move(references))).at(0).get(), &object);

            EXPECT_TRUE((co_await when_all(std::vector<task<int>>())).empty());
            std::vector<task<>> nothings;
            nothings.push_back(nothing());
            co_await when_all(std::move(nothings));
            co_await when_all();
        }
        static task<> nothing() { co_return; }
    };
    sync_wait(coroutines::all());
}

TEST(WhenAllTest, StartsNothingUntilAwaited) {
    log events;
    struct coroutines {
        static task<> marks(log& to) {
            to.push_back("ran");
            co_return;
        }
    };
    {
        auto unused = when_all(coroutines::marks(events), coroutines::marks(events));
    }
    EXPECT_TRUE(events.empty());
}

TEST(WhenAllTest, RunsItsTasksSideBySide) {
    std::string order;
    struct coroutines {
        static task<> writes(std::string& to, char name) {
            for (int i = 0; i < 3; ++i) {
                to += name;
                co_await yield();
            }
        }
        static task<> all(std::string& to) { co_await when_all(writes(to, 'a'), writes(to, 'b'), writes(to, 'c')); }
    };
    sync_wait(coroutines::all(order));
    EXPECT_EQ(order, "abcabcabc");
}

TEST(WhenAllTest, TheFirstFailureInTimeIsRethrownWhenAllHaveEnded) {
    log events;
    struct coroutines {
        static task<> slow(log& to) {
            for (int i = 0; i < 5; ++i) {
                try {
                    co_await yield();
                } catch (const operation_cancelled&) {
                }
            }
            to.push_back("slow ended");
        }
        static task<> all(log& to) {
            try {
                co_await when_all(fails("late", 3), slow(to), fails("early", 1));
            } catch (const std::runtime_error& error) {
                to.push_back(error.what());
            }
        }
    };
    sync_wait(coroutines::all(events));
    EXPECT_EQ(events, (log{"slow ended", "early"}));
}

TEST(WhenAllTest, AFailureStopsTheOthersAndNobodyElse) {
    std::stop_source outer;
    struct coroutines {
        static task<> sleeps() { co_await wait_for(std::chrono::hours(1)); }
        static task<> caught() { co_await when_all(sleeps(), fails("stop"), sleeps()); }
    };
    sync_wait(
        []() -> task<> {
            bool threw = false;
            try {
                co_await coroutines::caught();
            } catch (const std::runtime_error&) {
                threw = true;
            }
            EXPECT_TRUE(threw);
            EXPECT_FALSE((co_await current_stop_token()).stop_requested());
        }(),
        outer.get_token());
    std::vector<task<>> range;
    range.push_back(coroutines::sleeps());
    range.push_back(fails("of a range", 2));
    EXPECT_THROW(sync_wait(when_all(std::move(range))), std::runtime_error);
}

TEST(WhenAllTest, AStopOfTheParentReachesEveryChild) {
    std::stop_source source;
    int stopped = 0;
    struct coroutines {
        static task<> sleeps(int& count) {
            try {
                co_await wait_for(std::chrono::hours(1));
            } catch (const operation_cancelled&) {
                ++count;
                throw;
            }
        }
        static task<> stops(std::stop_source& stop) {
            co_await yield();
            stop.request_stop();
        }
    };
    EXPECT_THROW(
        sync_wait(when_all(coroutines::sleeps(stopped), coroutines::sleeps(stopped), coroutines::stops(source)),
                  source.get_token()),
        operation_cancelled);
    EXPECT_EQ(stopped, 2);
    EXPECT_THROW(sync_wait(when_all(coroutines::sleeps(stopped)), source.get_token()), operation_cancelled);
    EXPECT_EQ(stopped, 3);
}

TEST(WhenAllTest, DroppingItDestroysWhatHasNotEndedAndTellsTheObserverFirst) {
    log order;
    test::logging_observer observer(order);
    struct coroutines {
        static task<> waits(log& to, std::string name) {
            const note local(to, name);
            co_await forever();
        }
        static task<> ends(note) { co_return; }
        static task<> all(log& to) { co_await when_all(waits(to, "a"), ends(note(to, "ended")), waits(to, "b")); }
    };
    dropped_chain dropped(coroutines::all(order), environment(nullptr, {}, &observer));
    dropped.start();
    order.clear();
    dropped.drop();
    ASSERT_EQ(order.size(), 6u);
    EXPECT_EQ(order[0], "abandoned") << "of the parent, before the first destructor";
    EXPECT_EQ(std::count(order.begin(), order.end(), "abandoned"), 3);
    for (const char* name : {"a", "b", "ended"})
        EXPECT_EQ(std::count(order.begin(), order.end(), name), 1) << name;
}

TEST(WhenAllTest, ChildrenThatHopToAnotherThreadBringTheParentBackHome) {
    run_loop elsewhere;
    std::thread other([&] { elsewhere.run(); });
    struct coroutines {
        static task<std::thread::id> hops(scheduler& to) {
            co_await resume_on(to);
            co_return std::this_thread::get_id();
        }
        static task<> all(scheduler& to, std::thread::id there) {
            const auto here = std::this_thread::get_id();
            for (int i = 0; i < 200; ++i) {
                auto results = co_await when_all(hops(to), number(1, i % 3), hops(to));
                EXPECT_EQ(results.get<0>(), there);
                EXPECT_EQ(std::this_thread::get_id(), here);
            }
        }
    };
    sync_wait(coroutines::all(elsewhere, other.get_id()));
    elsewhere.finish();
    other.join();
}

} // namespace
} // namespace sluice::coro
