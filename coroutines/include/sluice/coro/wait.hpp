// Waiting for a time of the chain's own clock, real or virtual.
#pragma once

#include <sluice/coro/chain_stop.hpp>
#include <sluice/coro/environment.hpp>
#include <sluice/coro/operation_cancelled.hpp>
#include <sluice/coro/scheduler.hpp>

#include <chrono>
#include <coroutine>
#include <exception>
#include <functional>
#include <optional>
#include <stop_token>
#include <utility>

namespace sluice::coro {

namespace detail {

class timer_wait : private scheduled {
public:
    using chain_awaiter = void;

    ~timer_wait() override { on_stop_.reset(); } // first: a running callback uses canceller_

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) noexcept {
        env_ = &self.promise().environment();
        waiting_ = self;
        env_->next = {&start, this};
    }
    void await_resume() {
        if (error_) [[unlikely]]
            std::rethrow_exception(std::exchange(error_, nullptr));
    }

protected:
    explicit timer_wait(scheduler::time_point when) noexcept : when_(when), relative_(false) {}
    explicit timer_wait(scheduler::duration delay) noexcept : delay_(delay), relative_(true) {}

private:
    // Posted by whoever asks for the stop, perhaps another thread: only its scheduler may withdraw the timer.
    struct canceller final : scheduled {
        explicit canceller(timer_wait& wait) noexcept : wait_(wait) {}
        void run() noexcept override { wait_.cancelled(); }
        timer_wait& wait_;
    };
    struct stop_handler {
        timer_wait& wait_;
        void operator()() const noexcept { wait_.env_->context->post(wait_.canceller_); }
    };

    static std::coroutine_handle<> start(void* object) noexcept;
    void begin();
    void run() noexcept override;
    void cancelled() noexcept;

    environment* env_ = nullptr;
    std::coroutine_handle<> waiting_;
    std::exception_ptr error_;
    scheduler::time_point when_{};
    scheduler::duration delay_{};
    bool relative_;
    canceller canceller_{*this};
    std::optional<std::stop_callback<stop_handler>> on_stop_;
};

} // namespace detail

/// Awaitable: completes once the chain's scheduler says `now() >= when`; at once, without a hop, where it does already.
///
/// Throws operation_cancelled as soon as the chain is asked to stop (also where it was asked before); no_scheduler;
/// std::bad_alloc where the scheduler does. Destroying it withdraws the timer. Nothing is allocated.
class [[nodiscard]] wait_until : public detail::timer_wait {
public:
    explicit wait_until(scheduler::time_point when) noexcept : timer_wait(when) {}
};

/// Awaitable: as wait_until, for `delay` counted from when it is awaited.
///
///     co_await wait_for(20ms);
class [[nodiscard]] wait_for : public detail::timer_wait {
public:
    explicit wait_for(scheduler::duration delay) noexcept : timer_wait(delay) {}
};

} // namespace sluice::coro
