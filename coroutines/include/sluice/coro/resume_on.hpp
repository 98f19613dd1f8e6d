// resume_on: moves a chain to another scheduler.
#pragma once

#include <sluice/coro/environment.hpp>
#include <sluice/coro/scheduler.hpp>

#include <coroutine>
#include <exception>

namespace sluice::coro {

/// Awaitable: from here on the whole chain runs on `where`: this task, what it awaits later, and those that await it,
/// until it is moved again. At once where it runs there already.
///
/// For chains that are nobody's render: a render runs on one scheduler, so in one (in a chain with an observer) it
/// throws std::logic_error; use `on(where, task)`, which comes back. sync_wait and when_all return on the caller's
/// scheduler whatever their tasks do. Throws std::bad_alloc where the scheduler does; then the chain stays. A stop is
/// not looked at. Destroying it withdraws it, on `where` only: with two threads, let the task end instead. `where` must
/// outlive the chain. Nothing is allocated.
///
///     co_await resume_on(workers);
class [[nodiscard]] resume_on : private scheduled {
public:
    using chain_awaiter = void;

    explicit resume_on(scheduler& where) noexcept : where_(where) {}

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> self) noexcept {
        env_ = &self.promise().environment();
        if (env_->context == &where_ && env_->observer == nullptr)
            return false;
        waiting_ = self;
        env_->next = {&start, this};
        return true;
    }
    void await_resume() const {
        if (error_)
            std::rethrow_exception(error_);
    }

private:
    static std::coroutine_handle<> start(void* object) noexcept;
    void run() noexcept override { run_chain(*env_, waiting_); }

    scheduler& where_;
    environment* env_ = nullptr;
    std::coroutine_handle<> waiting_;
    std::exception_ptr error_;
};

} // namespace sluice::coro
