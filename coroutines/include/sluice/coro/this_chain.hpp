// What a task can ask about the chain it runs in: its scheduler, its stop token; and a turn for the others.
#pragma once

#include <sluice/coro/chain_stop.hpp>
#include <sluice/coro/environment.hpp>
#include <sluice/coro/operation_cancelled.hpp>
#include <sluice/coro/scheduler.hpp>

#include <coroutine>
#include <exception>
#include <stop_token>

namespace sluice::coro {

namespace detail {

// An await that only looks at the chain's environment.
class environment_reader {
public:
    using chain_awaiter = void;
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> self) noexcept {
        env_ = &self.promise().environment();
        return false;
    }

protected:
    environment* env_ = nullptr;
};

} // namespace detail

/// Awaitable: the scheduler that the chain runs on, at once. Throws no_scheduler where the chain has none.
///
///     sluice::coro::scheduler& here = co_await current_scheduler();
class [[nodiscard]] current_scheduler : public detail::environment_reader {
public:
    scheduler& await_resume() const {
        if (env_->context == nullptr)
            throw no_scheduler();
        return *env_->context;
    }
};

/// Awaitable: the chain's stop token, at once. Work that never waits looks at it from time to time.
///
///     const std::stop_token stop = co_await current_stop_token();
class [[nodiscard]] current_stop_token : public detail::environment_reader {
public:
    std::stop_token await_resume() const noexcept { return stop_token_of(*env_); }
};

/// Awaitable: gives way to whatever else is ready on the scheduler, then goes on. Work that is always ready yields now
/// and then, so that others run and a stop is seen.
///
/// Completes when the scheduler has run what was posted before. Throws operation_cancelled, before and after, when the
/// chain is asked to stop; no_scheduler; std::bad_alloc where the scheduler does. Destroying it withdraws it.
class [[nodiscard]] yield : private scheduled {
public:
    using chain_awaiter = void;

    yield() = default;

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) noexcept {
        env_ = &self.promise().environment();
        waiting_ = self;
        env_->next = {&start, this};
    }
    void await_resume() const;

private:
    static std::coroutine_handle<> start(void* object) noexcept;
    void run() noexcept override { run_chain(*env_, waiting_); }

    environment* env_ = nullptr;
    std::coroutine_handle<> waiting_;
    std::exception_ptr error_;
};

} // namespace sluice::coro
