#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/wait.hpp>
#include <sluice/net/as_operation.hpp>
#include <sluice/net/executor_scheduler.hpp>
#include <sluice/net/from_awaitable.hpp>
#include <sluice/net/spawn.hpp>
#include <sluice/net/use_task.hpp>
#include <sluice/testing/simulation.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace sluice {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

coro::task<int> forty_two() {
    co_await coro::wait_for(1h);
    co_return 42;
}
coro::task<std::unique_ptr<int>> move_only() {
    co_return std::make_unique<int>(7);
}
coro::task<> throwing() {
    throw std::runtime_error("thrown");
    co_return;
}
coro::task<> forever() {
    co_await coro::wait_for(std::chrono::hours(24 * 365));
}

std::string what(const std::exception_ptr& thrown) {
    if (!thrown)
        return "nothing";
    try {
        std::rethrow_exception(thrown);
    } catch (const std::exception& error) {
        return error.what();
    }
}

TEST(SpawnTest, CompletesUnderACallback) {
    testing::simulation simulation;
    std::optional<int> result;
    std::unique_ptr<int> moved;
    std::string thrown;
    net::spawn(simulation.context(), forty_two(), [&](std::exception_ptr, int n) { result = n; });
    net::spawn(simulation.executor(), move_only(),
               [&](std::exception_ptr, std::unique_ptr<int> n) { moved = std::move(n); });
    net::spawn(simulation.executor(), throwing(), [&](std::exception_ptr error) { thrown = what(error); });
    EXPECT_EQ(result, std::nullopt);
    simulation.run();
    EXPECT_EQ(result, 42);
    ASSERT_TRUE(moved);
    EXPECT_EQ(*moved, 7);
    EXPECT_EQ(thrown, "thrown");
}

TEST(SpawnTest, CompletesUnderEveryToken) {
    testing::simulation simulation;
    std::future<int> future = net::spawn(simulation.context(), forty_two(), asio::use_future);
    std::future<void> failing = net::spawn(simulation.context(), throwing(), asio::use_future);

    int deferred = 0;
    auto operation = net::spawn(simulation.context(), forty_two(), asio::deferred);
    std::move(operation)([&](std::exception_ptr, int n) { deferred = n; });

    int awaited = 0;
    std::string caught;
    asio::co_spawn(
        simulation.context(),
        [&]() -> asio::awaitable<void> {
            awaited = co_await net::spawn(simulation.context(), forty_two(), asio::use_awaitable);
            try {
                co_await net::spawn(simulation.context(), throwing(), asio::use_awaitable);
            } catch (const std::runtime_error& error) {
                caught = error.what();
            }
        },
        asio::detached);

    int in_task = 0;
    auto outer = [&]() -> coro::task<> {
        in_task = co_await net::spawn(simulation.context(), forty_two(), net::use_task);
    };
    net::spawn(simulation.context(), outer, asio::detached);

    simulation.run();
    EXPECT_EQ(future.get(), 42);
    EXPECT_THROW(failing.get(), std::runtime_error);
    EXPECT_EQ(deferred, 42);
    EXPECT_EQ(awaited, 42);
    EXPECT_EQ(caught, "thrown");
    EXPECT_EQ(in_task, 42);
}

TEST(SpawnTest, NeitherStartsNorCompletesInsideTheCall) {
    testing::simulation simulation;
    bool started = false;
    bool completed = false;
    asio::post(simulation.executor(), [&] {
        auto at_once = [&]() -> coro::task<> {
            started = true;
            co_return;
        };
        net::spawn(simulation.executor(), at_once, [&](std::exception_ptr) { completed = true; });
        EXPECT_FALSE(started);
        EXPECT_FALSE(completed);
    });
    simulation.run();
    EXPECT_TRUE(started);
    EXPECT_TRUE(completed);
}

TEST(SpawnTest, KeepsACallableWithItsCapturesUntilTheTaskEnds) {
    testing::simulation simulation;
    auto alive = std::make_shared<int>(5);
    int seen = 0;
    net::spawn(
        simulation.context(),
        [alive, text = std::string("longer than any small string buffer is")]() -> coro::task<int> {
            co_await coro::wait_for(1s);
            co_return *alive + static_cast<int>(text.size());
        },
        [&](std::exception_ptr, int n) {
            seen = n;
            EXPECT_EQ(alive.use_count(), 1); // everything is freed before the handler is called
        });
    simulation.run_until_idle();
    EXPECT_EQ(alive.use_count(), 2);
    simulation.run();
    EXPECT_EQ(seen, 43);
}

TEST(SpawnTest, GivesAnExceptionOfTheCallableToTheHandler) {
    testing::simulation simulation;
    std::string thrown;
    net::spawn(
        simulation.context(), []() -> coro::task<int> { throw std::runtime_error("from the call"); },
        [&](std::exception_ptr error, int) { thrown = what(error); });
    simulation.run();
    EXPECT_EQ(thrown, "from the call");
}

TEST(SpawnTest, RunsTheHandlerOnItsAssociatedExecutor) {
    testing::simulation own;
    asio::io_context other(1);
    int called = 0;
    auto at_once = []() -> coro::task<> { co_return; };
    net::spawn(own.executor(), at_once, asio::bind_executor(other, [&](std::exception_ptr) { ++called; }));
    // The task is outstanding work of both.
    EXPECT_EQ(other.poll(), 0u);
    EXPECT_FALSE(other.stopped());
    own.run();
    EXPECT_EQ(called, 0);
    other.run();
    EXPECT_EQ(called, 1);
}

TEST(SpawnTest, IsOutstandingWorkUntilItCompletes) {
    asio::io_context io(1);
    net::spawn(
        io,
        []() -> coro::task<> {
            co_await coro::wait_for(1ms);
            co_await coro::wait_for(1ms);
        },
        asio::detached);
    EXPECT_GT(io.run(), 2u);
}

TEST(SpawnTest, CancellationOfTheTokenStopsTheTask) {
    testing::simulation simulation;
    asio::cancellation_signal signal;
    std::string thrown;
    net::spawn(simulation.context(), forever(),
               asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr error) { thrown = what(error); }));
    simulation.run_until_idle();
    signal.emit(asio::cancellation_type::total); // which a task does not promise
    simulation.run_until_idle();
    EXPECT_EQ(thrown, "");
    signal.emit(asio::cancellation_type::terminal);
    EXPECT_EQ(thrown, "");
    simulation.run_until_idle();
    EXPECT_EQ(thrown, what(std::make_exception_ptr(coro::operation_cancelled())));
    signal.emit(asio::cancellation_type::terminal); // after completion: nothing
    simulation.run_until_idle();
}

TEST(SpawnTest, CancellationBeforeTheStartStopsTheFirstWait) {
    testing::simulation simulation;
    asio::cancellation_signal signal;
    bool completed = false;
    net::spawn(simulation.context(), forever(),
               asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr) { completed = true; }));
    signal.emit(asio::cancellation_type::terminal);
    simulation.run_until_idle();
    EXPECT_TRUE(completed);
}

TEST(SpawnTest, DestroyingTheContextDestroysTasksAndHandlersUncalled) {
    auto alive = std::make_shared<int>();
    for (const int handlers : {0, 1, 100}) {
        auto io = std::make_unique<asio::io_context>(1);
        for (int i = 0; i < 3; ++i) {
            net::spawn(
                *io,
                [alive, &io = *io, i]() -> coro::task<> {
                    asio::steady_timer timer(io, 24h);
                    co_await asio::post(io, net::use_task);
                    if (i == 0)
                        co_await coro::wait_for(24h);
                    else
                        co_await timer.async_wait(net::use_task);
                    ADD_FAILURE();
                },
                [alive](std::exception_ptr) { ADD_FAILURE(); });
        }
        asio::co_spawn(
            *io,
            [alive, &io = *io]() -> asio::awaitable<void> { co_await net::spawn(io, forever(), asio::use_awaitable); },
            [alive](std::exception_ptr) { ADD_FAILURE(); });
        for (int i = 0; i < handlers; ++i)
            io->poll_one();
        io.reset();
        EXPECT_EQ(alive.use_count(), 1);
    }
}

TEST(SpawnTest, WhatAHandlerThrowsLeavesRun) {
    asio::io_context io(1);
    net::spawn(io, move_only(), [](std::exception_ptr, std::unique_ptr<int>) { throw std::runtime_error("handler"); });
    EXPECT_THROW(io.run(), std::runtime_error);
}

TEST(SpawnTest, TasksOnStrandsAreCleanWithTwoThreads) {
    asio::io_context io(2);
    std::atomic<int> completed = 0;
    std::vector<std::unique_ptr<asio::cancellation_signal>> signals;
    for (int i = 0; i < 50; ++i) {
        auto strand = asio::make_strand(io);
        signals.push_back(std::make_unique<asio::cancellation_signal>());
        net::spawn(
            strand,
            [strand, i]() -> coro::task<> {
                for (int j = 0; j < 20; ++j) {
                    co_await asio::post(strand, net::use_task);
                    co_await net::spawn(strand.get_inner_executor(), move_only(), net::use_task);
                }
                if (i % 2 == 0)
                    co_await coro::wait_for(24h);
            },
            asio::bind_cancellation_slot(signals.back()->slot(),
                                         asio::bind_executor(strand, [&](std::exception_ptr) { ++completed; })));
        asio::post(strand, [&signal = *signals.back(), strand] {
            asio::post(strand, [&signal] { signal.emit(asio::cancellation_type::terminal); });
        });
    }
    std::thread second([&] { io.run(); });
    io.run();
    second.join();
    EXPECT_EQ(completed, 50);
}

asio::awaitable<int> asio_answer(bool fails) {
    asio::steady_timer timer(co_await asio::this_coro::executor, 0s);
    co_await timer.async_wait(asio::use_awaitable);
    if (fails)
        throw std::runtime_error("from asio");
    co_return 42;
}

TEST(FromAwaitableTest, AwaitsAnAwaitableInATask) {
    asio::io_context io(1);
    int result = 0;
    std::string caught;
    auto body = [&]() -> coro::task<> {
        result = co_await net::from_awaitable(asio_answer(false));
        try {
            co_await net::from_awaitable(asio_answer(true));
        } catch (const std::runtime_error& error) {
            caught = error.what();
        }
    };
    net::spawn(io, body, asio::detached);
    io.run();
    EXPECT_EQ(result, 42);
    EXPECT_EQ(caught, "from asio");
}

TEST(FromAwaitableTest, AStopCancelsTheAwaitable) {
    asio::io_context io(1);
    asio::cancellation_signal signal;
    boost::system::error_code code;
    auto body = [&]() -> coro::task<> {
        auto wait = []() -> asio::awaitable<void> {
            asio::steady_timer timer(co_await asio::this_coro::executor, 24h);
            co_await timer.async_wait(asio::use_awaitable);
        };
        try {
            co_await net::from_awaitable(wait());
        } catch (const boost::system::system_error& error) {
            code = error.code();
        }
    };
    net::spawn(io, body, asio::bind_cancellation_slot(signal.slot(), asio::detached));
    io.poll();
    signal.emit(asio::cancellation_type::terminal);
    io.run();
    EXPECT_EQ(code, asio::error::operation_aborted);
}

TEST(FromAwaitableTest, NeedsAnExecutor) {
    testing::manual_clock clock;
    auto body = []() -> coro::task<bool> {
        try {
            co_await net::from_awaitable(asio_answer(false));
        } catch (const coro::no_scheduler&) {
            co_return true;
        }
        co_return false;
    };
    coro::chain<bool> chain(body(), coro::environment(&clock));
    chain.start({[](void*) noexcept -> std::coroutine_handle<> { return nullptr; }, nullptr});
    clock.run();
    ASSERT_TRUE(chain.finished());
    EXPECT_TRUE(chain.result());
}

TEST(AsOperationTest, AwaitsATaskInAnAwaitable) {
    testing::simulation simulation;
    int result = 0;
    std::string caught;
    asio::co_spawn(
        simulation.context(),
        [&]() -> asio::awaitable<void> {
            result = co_await net::as_operation(forty_two());
            try {
                co_await net::as_operation(throwing());
            } catch (const std::runtime_error& error) {
                caught = error.what();
            }
            result += co_await net::as_operation(forty_two(), asio::use_awaitable);
        },
        asio::detached);
    simulation.run();
    EXPECT_EQ(result, 84);
    EXPECT_EQ(caught, "thrown");
}

TEST(AsOperationTest, CancellingTheAwaitableStopsTheTask) {
    testing::simulation simulation;
    asio::cancellation_signal signal;
    std::string thrown;
    asio::co_spawn(
        simulation.context(), []() -> asio::awaitable<void> { co_await net::as_operation(forever()); },
        asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr error) { thrown = what(error); }));
    simulation.run_until_idle();
    signal.emit(asio::cancellation_type::terminal);
    simulation.run_until_idle();
    EXPECT_EQ(thrown, what(std::make_exception_ptr(coro::operation_cancelled())));
}

} // namespace
} // namespace sluice
