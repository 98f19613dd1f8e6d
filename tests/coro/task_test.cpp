#include "support.hpp"
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/task.hpp>
#include <sluice/coro/this_chain.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace sluice::coro {
namespace {

using test::dropped_chain;
using test::forever;
using test::note;
using log = std::vector<std::string>;

task<> mark(bool& ran) {
    ran = true;
    co_return;
}

TEST(TaskTest, DoesNotStartUntilAwaited) {
    bool ran = false;
    {
        auto never = mark(ran);
    }
    EXPECT_FALSE(ran);
    auto later = mark(ran);
    EXPECT_FALSE(ran);
    sync_wait(std::move(later));
    EXPECT_TRUE(ran);
}

TEST(TaskTest, AnUnstartedTaskDestroysItsParameters) {
    log destroyed;
    {
        auto unused = [](note) -> task<> { co_return; }(note(destroyed, "parameter"));
        EXPECT_TRUE(destroyed.empty());
    }
    EXPECT_EQ(destroyed, log{"parameter"});
}

TEST(TaskTest, RethrowsWhatTheChildThrewWhereItIsAwaited) {
    struct coroutines {
        static task<int> fails() {
            throw std::runtime_error("from the child");
            co_return 1;
        }
        static task<std::string> catches() {
            try {
                co_await fails();
            } catch (const std::runtime_error& error) {
                co_return error.what();
            }
            co_return "nothing";
        }
    };
    EXPECT_EQ(sync_wait(coroutines::catches()), "from the child");
    EXPECT_THROW(sync_wait(coroutines::fails()), std::runtime_error);
}

TEST(TaskTest, RethrowsWhatTheChildThrewAfterItWaited) {
    struct coroutines {
        static task<> fails() {
            co_await yield();
            throw std::runtime_error("late");
        }
        static task<> passes_on() { co_await fails(); }
    };
    EXPECT_THROW(sync_wait(coroutines::passes_on()), std::runtime_error);
}

TEST(TaskTest, ReturnsAReferenceToTheSameObject) {
    int object = 1;
    struct coroutines {
        static task<int&> refer(int& to) { co_return to; }
        static task<int*> address(int& to) {
            int& same = co_await refer(to);
            co_return &same;
        }
    };
    EXPECT_EQ(sync_wait(coroutines::address(object)), &object);
    sync_wait(coroutines::refer(object)) = 5;
    EXPECT_EQ(object, 5);
}

TEST(TaskTest, ReturnsMoveOnlyResults) {
    struct coroutines {
        static task<std::unique_ptr<std::string>> make() { co_return std::make_unique<std::string>("moved"); }
        static task<std::unique_ptr<std::string>> pass_on() { co_return co_await make(); }
    };
    EXPECT_EQ(*sync_wait(coroutines::pass_on()), "moved");
}

TEST(TaskTest, ReturnsWhatConvertsToItsResult) {
    struct coroutines {
        static task<std::string> literal() { co_return "text"; }
    };
    EXPECT_EQ(sync_wait(coroutines::literal()), "text");
}

TEST(TaskTest, AResultWhoseConstructorThrowsIsAnException) {
    struct bad {
        explicit bad(int) { throw std::logic_error("no"); }
    };
    struct coroutines {
        static task<bad> make() { co_return 1; }
    };
    EXPECT_THROW(sync_wait(coroutines::make()), std::logic_error);
}

TEST(TaskTest, DestroysItsFrameAtTheEndOfTheAwait) {
    log order;
    struct coroutines {
        static task<> child(note) { co_return; }
        static task<> parent(log& to) {
            auto held = child(note(to, "child's parameter"));
            co_await std::move(held);
            to.push_back("after the await");
        }
    };
    sync_wait(coroutines::parent(order));
    EXPECT_EQ(order, (log{"child's parameter", "after the await"}));
}

TEST(TaskTest, DroppingItMidwayDestroysEveryFrameInsideOut) {
    log order;
    struct coroutines {
        static task<> inner(log& to) {
            const note local(to, "inner");
            co_await forever();
        }
        static task<> outer(log& to) {
            const note local(to, "outer");
            co_await inner(to);
        }
    };
    dropped_chain dropped(coroutines::outer(order), {});
    dropped.start();
    EXPECT_FALSE(dropped.ended());
    dropped.drop();
    EXPECT_EQ(order, (log{"inner", "outer"}));
}

TEST(TaskTest, TheObserverHearsOfADropBeforeAnyDestructorRuns) {
    log order;
    test::logging_observer observer(order);
    struct coroutines {
        static task<> inner(log& to) {
            const note local(to, "inner");
            co_await forever();
        }
        static task<> outer(log& to) {
            const note local(to, "outer");
            co_await inner(to);
        }
    };
    dropped_chain dropped(coroutines::outer(order), environment(nullptr, {}, &observer));
    dropped.start();
    order.clear();
    dropped.drop();
    EXPECT_EQ(order, (log{"abandoned", "abandoned", "inner", "outer"}));
}

TEST(TaskTest, AFinishedTaskIsNotAbandoned) {
    log order;
    test::logging_observer observer(order);
    bool ran = false;
    dropped_chain dropped(mark(ran), environment(nullptr, {}, &observer));
    dropped.start();
    EXPECT_TRUE(dropped.ended());
    dropped.drop();
    EXPECT_EQ(order, (log{"resumed", "suspending"}));
}

TEST(TaskTest, ATaskInAVariableThatOutlivesTheChainEndsWithTheChain) {
    log order;
    test::logging_observer observer(order);
    struct coroutines {
        static task<> inner(log& to) {
            const note local(to, "inner");
            co_await forever();
        }
        static task<> outer(task<>& other) { co_await std::move(other); }
    };
    auto outside = coroutines::inner(order);
    dropped_chain dropped(coroutines::outer(outside), environment(nullptr, {}, &observer));
    dropped.start();
    dropped.drop();
    EXPECT_EQ(order.back(), "inner");
}

TEST(TaskTest, MoveAssignmentDestroysTheOldFrame) {
    log destroyed;
    const auto make = [](note) -> task<> { co_return; };
    auto first = make(note(destroyed, "first"));
    first = make(note(destroyed, "second"));
    EXPECT_EQ(destroyed, log{"first"});
}

TEST(TaskTest, AnLvalueIsNotAwaitable) {
    EXPECT_TRUE(is_awaitable<task<int>>);
    EXPECT_FALSE(is_awaitable<task<int>&>);
    EXPECT_FALSE(std::is_copy_constructible_v<task<int>>);
}

// What the observer of a chain hears, in environment.hpp.
TEST(EnvironmentTest, TheObserverHearsEveryStopAndGo) {
    log heard;
    test::logging_observer observer(heard);
    run_loop loop;
    struct coroutines {
        static task<> child(log& to) {
            co_await yield();
            to.push_back("child");
        }
        static task<> parent(log& to) {
            co_await child(to);
            to.push_back("parent");
        }
    };
    dropped_chain dropped(coroutines::parent(heard), environment(&loop, {}, &observer));
    dropped.start();
    test::drain(loop);
    EXPECT_TRUE(dropped.ended());
    EXPECT_EQ(heard, (log{"resumed", "suspending", "resumed", "child", "parent", "suspending"}));
}

struct ready_at_start {
    using chain_awaiter = void;
    std::coroutine_handle<> waiting;
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) noexcept {
        waiting = self;
        self.promise().environment().next = {
            [](void* object) noexcept { return static_cast<ready_at_start*>(object)->waiting; }, this};
    }
    void await_resume() const noexcept {}
};

TEST(EnvironmentTest, AnOperationThatIsReadyWhenItStartsGoesOnResumed) {
    log heard;
    test::logging_observer observer(heard);
    struct coroutines {
        static task<> body(log& to) {
            ready_at_start operation;
            co_await operation;
            to.push_back("went on");
        }
    };
    dropped_chain dropped(coroutines::body(heard), environment(nullptr, {}, &observer));
    dropped.start();
    EXPECT_EQ(heard, (log{"resumed", "suspending", "resumed", "went on", "suspending"}));
}

} // namespace
} // namespace sluice::coro
