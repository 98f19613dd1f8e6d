#include "support.hpp"
#include <sluice/coro/async_manual_reset_event.hpp>
#include <sluice/coro/on.hpp>
#include <sluice/coro/operation_cancelled.hpp>
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/this_chain.hpp>
#include <sluice/coro/wait.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace sluice::coro {
namespace {

using test::dropped_chain;
using test::note;
using log = std::vector<std::string>;

// A loop on a thread of its own.
class worker {
public:
    worker() : thread_([this] { loop_.run(); }) {}
    ~worker() {
        loop_.finish();
        thread_.join();
    }
    run_loop& loop() noexcept { return loop_; }
    std::thread::id id() const noexcept { return thread_.get_id(); }

private:
    run_loop loop_;
    std::thread thread_;
};

TEST(OnTest, RunsTheTaskThereAndComesBack) {
    worker other;
    struct coroutines {
        static task<std::thread::id> there() {
            co_await yield();
            co_return std::this_thread::get_id();
        }
        static task<> goes(run_loop& to, std::thread::id expected) {
            const auto here = std::this_thread::get_id();
            for (int i = 0; i < 300; ++i) {
                const auto ran_on = co_await on(to, there());
                EXPECT_EQ(ran_on, expected);
                EXPECT_EQ(std::this_thread::get_id(), here);
            }
        }
    };
    sync_wait(coroutines::goes(other.loop(), other.id()));
}

TEST(OnTest, BringsBackResultsAndExceptions) {
    worker other;
    int object = 0;
    struct coroutines {
        static task<std::unique_ptr<int>> owner() { co_return std::make_unique<int>(4); }
        static task<int&> reference(int& to) { co_return to; }
        static task<> fails() {
            throw std::runtime_error("there");
            co_return;
        }
    };
    EXPECT_EQ(*sync_wait(on(other.loop(), coroutines::owner())), 4);
    EXPECT_EQ(&sync_wait(on(other.loop(), coroutines::reference(object))), &object);
    EXPECT_THROW(sync_wait(on(other.loop(), coroutines::fails())), std::runtime_error);
}

TEST(OnTest, PassesAStopOn) {
    worker other;
    std::stop_source source;
    std::thread stopping([&] { source.request_stop(); });
    EXPECT_THROW(
        sync_wait(on(other.loop(), []() -> task<> { co_await wait_for(std::chrono::hours(1)); }()), source.get_token()),
        operation_cancelled);
    stopping.join();
}

TEST(OnTest, TheTaskIsNoPartOfTheCallersRender) {
    log heard;
    test::logging_observer observer(heard);
    run_loop here;
    run_loop there;
    dropped_chain caller([](run_loop& to) -> task<> { co_await on(to, []() -> task<> { co_await yield(); }()); }(there),
                         environment(&here, {}, &observer));
    caller.start();
    test::drain(there);
    EXPECT_EQ(heard, (log{"resumed", "suspending"}));
    test::drain(here);
    EXPECT_TRUE(caller.ended());
    EXPECT_EQ(heard, (log{"resumed", "suspending", "resumed", "suspending"}));
}

task<> away(run_loop& to, log& order) {
    struct coroutines {
        static task<> waits(note, log* to) {
            try {
                co_await wait_for(std::chrono::hours(1));
            } catch (const operation_cancelled&) {
                to->push_back("stopped");
            }
        }
    };
    co_await on(to, coroutines::waits(note(order, "parameter"), &order));
}

TEST(OnTest, ADroppedCallerStopsTheTaskAndLetsItEndByItself) {
    run_loop here;
    run_loop there;
    log order;
    dropped_chain caller(away(there, order), environment(&here));
    caller.start();
    test::drain(there);
    caller.drop();
    EXPECT_TRUE(order.empty());
    test::drain(there);
    EXPECT_EQ(order, (log{"stopped", "parameter"}));
}

TEST(OnTest, ATaskThatHasNotBegunWhenTheCallerIsDroppedNeverBegins) {
    run_loop here;
    run_loop there;
    log order;
    dropped_chain caller(away(there, order), environment(&here));
    caller.start();
    caller.drop();
    test::drain(there);
    EXPECT_EQ(order, (log{"parameter"}));
}

TEST(OnTest, ACallerThatIsDroppedAfterTheTaskHasEndedIsNotResumed) {
    run_loop here;
    run_loop there;
    bool went_on = false;
    dropped_chain caller(
        [](run_loop& to, bool& flag) -> task<> {
            co_await on(to, []() -> task<> { co_return; }());
            flag = true;
        }(there, went_on),
        environment(&here));
    caller.start();
    test::drain(there);
    caller.drop();
    test::drain(here);
    EXPECT_FALSE(went_on);
}

TEST(OnTest, WithoutASchedulerToComeBackToItThrows) {
    run_loop there;
    dropped_chain caller([](run_loop& to) -> task<> { co_await on(to, []() -> task<> { co_return; }()); }(there), {});
    caller.start();
    ASSERT_TRUE(caller.ended());
    EXPECT_THROW((*caller).result(), no_scheduler);
}

} // namespace
} // namespace sluice::coro
