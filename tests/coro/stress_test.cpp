// Starting, finishing, stopping and dropping a chain in every order, from two threads at once (chriskohlhoff/asio#1332,
// #1576: a cancellation handler that outlives its coroutine). Worth most under ThreadSanitizer.
#include "support.hpp"
#include <sluice/coro/async_manual_reset_event.hpp>
#include <sluice/coro/async_scope.hpp>
#include <sluice/coro/async_semaphore.hpp>
#include <sluice/coro/on.hpp>
#include <sluice/coro/this_chain.hpp>
#include <sluice/coro/wait.hpp>
#include <sluice/coro/when_all.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <thread>

namespace sluice::coro {
namespace {

constexpr int repetitions = 4;

struct shared_state {
    run_loop loop;      // of the worker
    run_loop elsewhere; // of a second worker
};

struct trial {
    explicit trial(shared_state& on) : state(on) {}
    shared_state& state;
    async_manual_reset_event event;
    async_semaphore permits{0};
    std::stop_source stop;
};

task<> waits_for_event(trial& of) {
    co_await of.event.wait();
}
task<> waits_for_permit(trial& of) {
    co_await of.permits.acquire();
}
task<> waits_for_timer(trial&) {
    co_await wait_for(std::chrono::hours(1));
}
task<> waits_for_all(trial& of) {
    co_await when_all(waits_for_event(of), waits_for_permit(of), waits_for_event(of));
}
task<> waits_elsewhere(trial& of) {
    // Refers to nothing of the trial: what is dropped while it is away outlives it.
    struct coroutines {
        static task<int> away() {
            for (int i = 0; i < 10; ++i)
                co_await yield();
            co_return 1;
        }
        static task<> goes(run_loop& to) { (void)co_await on(to, away()); }
    };
    co_await when_all(coroutines::goes(of.state.elsewhere), waits_for_event(of));
}
task<> waits_in_scope(trial& of) {
    async_scope scope(of.state.loop, of.stop.get_token());
    scope.spawn(waits_for_event(of));
    scope.spawn(waits_for_permit(of));
    co_await scope.join();
}

struct action final : scheduled {
    explicit action(std::function<void()> what) : act(std::move(what)) {}
    void run() noexcept override {
        act();
        done.store(true, std::memory_order_release);
        done.notify_all();
    }
    void wait() const { done.wait(false, std::memory_order_acquire); }
    std::function<void()> act;
    std::atomic<bool> done{false};
};

// `order` names the actions; those whose bit in `split` is set are the second thread's.
void run_trial(shared_state& state, task<> (*body)(trial&), const std::array<int, 4>& order, unsigned split) {
    trial of(state);
    std::optional<chain<void>> running;
    std::atomic<int> ended{0};
    bool dropped = false;
    const chain_stop stop{of.stop.get_token()};
    running.emplace(body(of), environment(&state.loop, &stop));
    action start([&] {
        if (dropped)
            return;
        running->start({[](void* object) noexcept -> std::coroutine_handle<> {
                            static_cast<std::atomic<int>*>(object)->fetch_add(1, std::memory_order_relaxed);
                            return nullptr;
                        },
                        &ended});
    });
    action drop([&] {
        dropped = true;
        running.reset();
    });
    const auto perform = [&](int which) {
        switch (which) {
        case 0:
            state.loop.post(start);
            break;
        case 1:
            of.stop.request_stop();
            break;
        case 2:
            of.event.set();
            of.permits.release();
            break;
        default:
            state.loop.post(drop);
            break;
        }
    };
    const auto perform_part = [&](unsigned part) {
        for (unsigned i = 0; i < 4; ++i)
            if ((split >> i & 1u) == part)
                perform(order[i]);
    };
    std::thread second(perform_part, 1u);
    perform_part(0u);
    second.join();
    start.wait();
    drop.wait();
    EXPECT_LE(ended.load(), 1);
}

void run_all_orders(task<> (*body)(trial&)) {
    shared_state state;
    std::thread worker([&] { state.loop.run(); });
    std::thread other([&] { state.elsewhere.run(); });
    std::array<int, 4> order{0, 1, 2, 3};
    do {
        for (unsigned split = 0; split < 16; ++split)
            for (int i = 0; i < repetitions; ++i)
                run_trial(state, body, order, split);
    } while (std::next_permutation(order.begin(), order.end()));
    state.loop.finish();
    state.elsewhere.finish();
    worker.join();
    other.join();
}

TEST(StressTest, AWaitForAnEventEndsOnceInEveryOrder) {
    run_all_orders(&waits_for_event);
}
TEST(StressTest, AWaitForAPermitEndsOnceInEveryOrder) {
    run_all_orders(&waits_for_permit);
}
TEST(StressTest, ATimerEndsOnceInEveryOrder) {
    run_all_orders(&waits_for_timer);
}
TEST(StressTest, WhenAllEndsOnceInEveryOrder) {
    run_all_orders(&waits_for_all);
}
TEST(StressTest, AScopeEndsOnceInEveryOrder) {
    run_all_orders(&waits_in_scope);
}
TEST(StressTest, ATaskOnAnotherThreadEndsOnceInEveryOrder) {
    run_all_orders(&waits_elsewhere);
}

} // namespace
} // namespace sluice::coro
