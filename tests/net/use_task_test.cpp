#include <sluice/coro/chain.hpp>
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/wait.hpp>
#include <sluice/net/executor_scheduler.hpp>
#include <sluice/net/time_source.hpp>
#include <sluice/net/use_task.hpp>
#include <sluice/testing/simulated_stream.hpp>
#include <sluice/testing/simulation.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace sluice {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using boost::system::error_code;
using net::use_task;
using net::use_task_with_code;

// A chain on an executor, with a stop source.
template <class T>
class running {
public:
    running(coro::task<T> work, asio::any_io_executor executor)
        : scheduler_(std::move(executor)),
          chain_(std::in_place, std::move(work), coro::environment(&scheduler_, &token_)) {
        chain_->start({[](void* object) noexcept -> std::coroutine_handle<> {
                           *static_cast<bool*>(object) = true;
                           return nullptr;
                       },
                       &ended});
    }
    T result() { return chain_->result(); }
    void destroy() { chain_.reset(); }

    std::stop_source stop;
    bool ended = false;

private:
    net::executor_scheduler scheduler_;
    const coro::chain_stop token_{stop.get_token()};
    std::optional<coro::chain<T>> chain_;
};

// An operation that completes with these values inside its initiation.
template <class... Values, class Token>
auto complete_at_once(Token&& token, Values... values) {
    return asio::async_initiate<Token, void(Values...)>([](auto handler, auto... v) { std::move(handler)(v...); },
                                                        token, values...);
}

TEST(UseTaskTest, GivesTheValueOfAnOperation) {
    testing::simulation simulation;
    testing::simulated_stream stream(simulation.executor());
    std::array<char, 16> bytes{};
    auto read = [&]() -> coro::task<std::size_t> {
        co_return co_await stream.async_read_some(asio::buffer(bytes), use_task);
    };
    running<std::size_t> chain(read(), simulation.executor());
    simulation.run();
    EXPECT_FALSE(chain.ended);
    stream.client().sends("hello");
    simulation.run();
    ASSERT_TRUE(chain.ended);
    EXPECT_EQ(chain.result(), 5u);
    EXPECT_EQ(std::string(bytes.data(), 5), "hello");
}

TEST(UseTaskTest, DoesNotStartUntilAwaited) {
    testing::simulation simulation;
    testing::simulated_stream stream(simulation.executor());
    std::array<char, 4> bytes{};
    {
        auto operation = stream.async_read_some(asio::buffer(bytes), use_task);
        simulation.run();
        EXPECT_EQ(stream.client().reads_started(), 0u);
    }
    EXPECT_EQ(stream.client().reads_started(), 0u);
}

TEST(UseTaskTest, ThrowsAnErrorCodeAsSystemError) {
    testing::simulation simulation;
    testing::simulated_stream stream(simulation.executor());
    stream.client().finishes();
    std::array<char, 4> bytes{};
    error_code code;
    auto read = [&]() -> coro::task<> {
        try {
            co_await stream.async_read_some(asio::buffer(bytes), use_task);
        } catch (const boost::system::system_error& error) {
            code = error.code();
        }
    };
    running<void> chain(read(), simulation.executor());
    simulation.run();
    EXPECT_EQ(code, asio::error::eof);
}

TEST(UseTaskTest, GivesTheErrorCodeWhereItIsAskedFor) {
    testing::simulation simulation;
    testing::simulated_stream stream(simulation.executor());
    auto client = stream.client();
    client.sends("abc");
    client.finishes();
    std::array<char, 8> bytes{};
    std::vector<std::pair<error_code, std::size_t>> seen;
    auto read = [&]() -> coro::task<> {
        auto [code, size] = co_await stream.async_read_some(asio::buffer(bytes), use_task_with_code);
        seen.emplace_back(code, size);
        auto [again, none] = co_await stream.async_read_some(asio::buffer(bytes), asio::as_tuple(use_task));
        seen.emplace_back(again, none);
        const error_code alone = co_await complete_at_once(use_task_with_code, error_code(asio::error::eof));
        seen.emplace_back(alone, 0u);
    };
    running<void> chain(read(), simulation.executor());
    simulation.run();
    ASSERT_TRUE(chain.ended);
    ASSERT_EQ(seen.size(), 3u);
    EXPECT_EQ(seen[0], std::pair(error_code(), std::size_t(3)));
    EXPECT_EQ(seen[1], std::pair(error_code(asio::error::eof), std::size_t(0)));
    EXPECT_EQ(seen[2].first, asio::error::eof);
}

TEST(UseTaskTest, TakesEverySignature) {
    testing::simulation simulation;
    auto body = []() -> coro::task<int> {
        co_await complete_at_once(use_task);
        co_await complete_at_once(use_task, error_code());
        co_await complete_at_once(use_task, std::exception_ptr());
        int sum = co_await complete_at_once(use_task, 1);
        sum += co_await complete_at_once(use_task, error_code(), 2);
        sum += co_await complete_at_once(use_task, std::exception_ptr(), 4);
        auto both = co_await complete_at_once(use_task, error_code(), 8, std::string("16"));
        sum += both.first + std::stoi(both.second);
        auto three = co_await complete_at_once(use_task, 32, 64, 128);
        sum += three.first + three.second + three.third;
        const std::exception_ptr failure = std::make_exception_ptr(std::runtime_error("thrown"));
        try {
            co_await complete_at_once(use_task, failure, 0);
        } catch (const std::runtime_error& error) {
            sum += error.what() == std::string("thrown") ? 256 : 0;
        }
        co_return sum;
    };
    running<int> chain(body(), simulation.executor());
    simulation.run();
    EXPECT_EQ(chain.result(), 511);
}

TEST(UseTaskTest, ThrowsWhatTheInitiationThrows) {
    testing::simulation simulation;
    auto body = []() -> coro::task<bool> {
        auto operation = asio::async_initiate<const net::use_task_t&, void(error_code)>(
            [](auto) { throw std::logic_error("not today"); }, use_task);
        try {
            co_await std::move(operation);
        } catch (const std::logic_error&) {
            co_return true;
        }
        co_return false;
    };
    running<bool> chain(body(), simulation.executor());
    EXPECT_TRUE(chain.result());
}

// In a thread of 256 KiB of stack.
void in_small_thread(void (*body)()) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    ASSERT_EQ(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
    pthread_t thread;
    ASSERT_EQ(pthread_create(
                  &thread, &attributes,
                  [](void* function) -> void* {
                      (*static_cast<void (**)()>(function))();
                      return nullptr;
                  },
                  &body),
              0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
}

TEST(UseTaskTest, AMillionOperationsThatCompleteInsideTheirInitiationUseNoStack) {
    static int sum;
    sum = 0;
    in_small_thread([] {
        asio::io_context io(1);
        auto body = []() -> coro::task<> {
            for (int i = 0; i < 1'000'000; ++i)
                sum += co_await complete_at_once(use_task, error_code(), 1);
        };
        running<void> chain(body(), io.get_executor());
    });
    EXPECT_EQ(sum, 1'000'000);
}

TEST(UseTaskTest, OperationsThatCompleteLaterUseNoStack) {
    static int count;
    count = 0;
    in_small_thread([] {
        asio::io_context io(1);
        auto body = [&]() -> coro::task<> {
            for (; count < 100'000; ++count)
                co_await asio::post(io, use_task);
        };
        running<void> chain(body(), io.get_executor());
        io.run();
    });
    EXPECT_EQ(count, 100'000);
}

TEST(UseTaskTest, ResumesOnTheTasksOwnExecutor) {
    asio::io_context own(1);
    asio::io_context other(1);
    auto work = asio::make_work_guard(other);
    std::thread worker([&] { other.run(); });
    const std::thread::id here = std::this_thread::get_id();
    asio::steady_timer timer(other);
    bool on_own = false;
    auto body = [&]() -> coro::task<> {
        timer.expires_after(0s);
        co_await timer.async_wait(use_task);
        on_own = std::this_thread::get_id() == here;
    };
    running<void> chain(body(), own.get_executor());
    own.run();
    EXPECT_TRUE(chain.ended);
    EXPECT_TRUE(on_own);
    work.reset();
    worker.join();
}

TEST(UseTaskTest, ResumesOnASchedulerThatIsNotAsios) {
    asio::io_context other(1);
    auto work = asio::make_work_guard(other);
    std::thread worker([&] { other.run(); });
    const std::thread::id here = std::this_thread::get_id();
    auto body = [&]() -> coro::task<int> {
        int hops = 0;
        for (int i = 0; i < 1000; ++i) {
            co_await asio::post(other, use_task);
            hops += std::this_thread::get_id() == here ? 1 : 0;
        }
        co_return hops;
    };
    EXPECT_EQ(coro::sync_wait(body()), 1000);
    work.reset();
    worker.join();
}

TEST(UseTaskTest, AStopCancelsTheOperation) {
    testing::simulation simulation;
    testing::simulated_stream stream(simulation.executor());
    std::array<char, 4> bytes{};
    error_code code;
    auto read = [&]() -> coro::task<> {
        auto result = co_await stream.async_read_some(asio::buffer(bytes), use_task_with_code);
        code = result.first;
    };
    running<void> chain(read(), simulation.executor());
    simulation.run();
    chain.stop.request_stop();
    EXPECT_FALSE(chain.ended);
    simulation.run();
    EXPECT_TRUE(chain.ended);
    EXPECT_EQ(code, asio::error::operation_aborted);
}

TEST(UseTaskTest, AStoppedChainStartsNoOperation) {
    testing::simulation simulation;
    testing::simulated_stream stream(simulation.executor());
    std::array<char, 4> bytes{};
    error_code code;
    error_code thrown;
    auto read = [&]() -> coro::task<> {
        co_await asio::post(simulation.executor(), use_task);
        auto result = co_await stream.async_read_some(asio::buffer(bytes), use_task_with_code);
        code = result.first;
        try {
            co_await asio::post(simulation.executor(), use_task);
        } catch (const boost::system::system_error& error) {
            thrown = error.code();
        }
    };
    running<void> chain(read(), simulation.executor());
    chain.stop.request_stop();
    simulation.run();
    EXPECT_TRUE(chain.ended);
    EXPECT_EQ(code, asio::error::operation_aborted);
    EXPECT_EQ(thrown, asio::error::operation_aborted);
    EXPECT_EQ(stream.client().reads_started(), 0u);
}

// Stop, completion, destruction and the loop in every order, with a read of a real socket and with a simulated one.
TEST(UseTaskTest, StopCompletionAndDestructionAreRightInEveryOrder) {
    enum action { stop, complete, destroy, run };
    std::array<action, 4> order{stop, complete, destroy, run};
    do {
        for (const bool real : {false, true}) {
            asio::io_context io(1);
            testing::simulated_stream stream(io.get_executor());
            asio::ip::tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
            asio::ip::tcp::socket client(io);
            client.connect(acceptor.local_endpoint());
            asio::ip::tcp::socket server = acceptor.accept();
            auto buffer = std::make_shared<std::array<char, 4>>(); // lives on: a detached read may fill it
            auto read = [&]() -> coro::task<std::size_t> {
                if (real) {
                    auto result = co_await server.async_read_some(asio::buffer(*buffer), use_task_with_code);
                    co_return result.second;
                }
                auto result = co_await stream.async_read_some(asio::buffer(*buffer), use_task_with_code);
                co_return result.second;
            };
            auto chain = std::make_unique<running<std::size_t>>(read(), io.get_executor());
            for (const action next : order) {
                if (next == stop && chain) {
                    chain->stop.request_stop();
                } else if (next == complete) {
                    stream.client().sends("x");
                    client.send(asio::buffer("x", 1));
                } else if (next == destroy) {
                    chain->destroy();
                } else if (next == run) {
                    io.restart();
                    io.poll();
                }
            }
            io.restart();
            io.poll();
        }
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST(UseTaskTest, DestroyingTheContextWithOperationsPendingFreesEverything) {
    auto alive = std::make_shared<int>(0);
    auto io = std::make_unique<asio::io_context>(1);
    auto wait = [](asio::any_io_executor executor, std::shared_ptr<int> kept) -> coro::task<> {
        asio::steady_timer timer(executor, 24h);
        co_await timer.async_wait(use_task);
        *kept = 1;
    };
    auto chain = std::make_unique<running<void>>(wait(io->get_executor(), alive), io->get_executor());
    io->poll();
    chain->destroy();
    io.reset();
    EXPECT_EQ(alive.use_count(), 1);
    EXPECT_EQ(*alive, 0);
}

// Two threads run one context; each chain has a strand. Stops come from a third.
TEST(UseTaskTest, ChainsOnStrandsAreCleanWithTwoThreads) {
    asio::io_context io(2);
    auto work = asio::make_work_guard(io);
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
        threads.emplace_back([&] { io.run(); });
    std::atomic<int> done = 0;
    constexpr int chains = 40;
    struct one {
        asio::strand<asio::io_context::executor_type> strand;
        std::unique_ptr<running<void>> chain;
    };
    std::vector<std::unique_ptr<one>> all;
    auto body = [&](asio::any_io_executor strand) -> coro::task<> {
        asio::steady_timer timer(strand);
        for (int i = 0;; ++i) {
            timer.expires_after(i < 50 ? 0s : 24h);
            const error_code code = co_await timer.async_wait(use_task_with_code);
            if (code)
                break;
            co_await coro::wait_for(1us);
        }
        ++done;
    };
    for (int i = 0; i < chains; ++i) {
        all.push_back(std::make_unique<one>(one{asio::make_strand(io), nullptr}));
        one& added = *all.back();
        std::promise<void> started;
        asio::post(added.strand, [&] {
            added.chain = std::make_unique<running<void>>(
                [](auto& f, asio::any_io_executor strand) -> coro::task<> {
                    try {
                        co_await f(strand);
                    } catch (const coro::operation_cancelled&) {
                    }
                }(body, added.strand),
                added.strand);
            started.set_value();
        });
        started.get_future().wait();
    }
    for (auto& each : all)
        each->chain->stop.request_stop();
    work.reset();
    for (auto& thread : threads)
        thread.join();
    for (auto& each : all)
        EXPECT_TRUE(each->chain->ended);
}

TEST(ExecutorSchedulerTest, RunsPostsInTheirOrderAndTimersInTheirs) {
    asio::io_context io(1);
    net::executor_scheduler scheduler(io.get_executor());
    std::string order;
    struct step final : coro::scheduled {
        step(std::string& to, char as) : out(to), name(as) {}
        void run() noexcept override { out += name; }
        std::string& out;
        char name;
    };
    step a(order, 'a'), b(order, 'b'), c(order, 'c'), d(order, 'd');
    const auto now = scheduler.now();
    scheduler.wait_until(d, now + 2ms);
    scheduler.wait_until(c, now + 1ms);
    scheduler.post(a);
    scheduler.post(b);
    EXPECT_EQ(order, "");
    io.run();
    EXPECT_EQ(order, "abcd");
    EXPECT_FALSE(a.pending());
}

TEST(ExecutorSchedulerTest, TouchesNothingThatWasWithdrawnOrDestroyed) {
    for (const bool virtual_time : {false, true}) {
        testing::manual_clock clock;
        asio::io_context io(1);
        if (virtual_time)
            net::set_time_source(io, &clock);
        net::executor_scheduler scheduler(io.get_executor());
        struct step final : coro::scheduled {
            void run() noexcept override { ++runs; }
            int runs = 0;
        };
        auto posted = std::make_unique<step>();
        auto timed = std::make_unique<step>();
        auto due = std::make_unique<step>();
        step kept;
        scheduler.post(*posted);
        scheduler.wait_until(*timed, scheduler.now() + 24h);
        scheduler.wait_until(*due, scheduler.now());
        clock.run_until_idle();
        posted.reset();
        timed.reset();
        due.reset();
        scheduler.post(kept);
        kept.withdraw();
        scheduler.post(kept);
        io.run();
        EXPECT_EQ(kept.runs, 1);
        EXPECT_EQ(clock.pending_timers(), 0u);
    }
}

TEST(ExecutorSchedulerTest, WhatIsPendingWhenTheContextGoesNeverRuns) {
    struct step final : coro::scheduled {
        void run() noexcept override { FAIL(); }
    };
    step posted, timed;
    auto io = std::make_unique<asio::io_context>(1);
    net::executor_scheduler scheduler(io->get_executor());
    scheduler.post(posted);
    scheduler.wait_until(timed, scheduler.now() + 1ms);
    io.reset();
    EXPECT_FALSE(posted.pending());
    EXPECT_FALSE(timed.pending());
}

} // namespace
} // namespace sluice
