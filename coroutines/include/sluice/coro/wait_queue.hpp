// What async_manual_reset_event and async_semaphore share: coroutines that wait in a fair queue, each to be resumed on
// its own scheduler, cancelled through its stop token, or dropped.
#pragma once

#include <sluice/coro/chain_stop.hpp>
#include <sluice/coro/environment.hpp>
#include <sluice/coro/operation_cancelled.hpp>
#include <sluice/coro/scheduler.hpp>

#include <coroutine>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>

namespace sluice::coro::detail {

class queued_wait;

// Base of what is waited for. The mutex is held for a few instructions at a time, never across a suspension.
class wait_queue {
public:
    wait_queue(const wait_queue&) = delete;
    wait_queue& operator=(const wait_queue&) = delete;

protected:
    wait_queue() = default;
    virtual ~wait_queue() = default;

    // Under the mutex: true when a wait may complete at once; takes what it completes with.
    virtual bool try_take() noexcept = 0;
    // Not under the mutex: a wait that was completed has been dropped before its coroutine went on.
    virtual void give_back() noexcept = 0;
    // Under the mutex: completes the first wait, if there is one. It is posted to its scheduler, so that it is never
    // run from in here.
    bool wake_one() noexcept;

    mutable std::mutex mutex_;

private:
    friend class queued_wait;
    void link(queued_wait& wait) noexcept;
    void unlink(queued_wait& wait) noexcept;

    queued_wait* first_ = nullptr;
    queued_wait* last_ = nullptr;
};

class queued_wait : private scheduled {
public:
    using chain_awaiter = void;

    explicit queued_wait(wait_queue& queue) noexcept : queue_(queue) {}
    ~queued_wait() override;

    bool await_ready() noexcept;
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) noexcept {
        env_ = &self.promise().environment();
        waiting_ = self;
        env_->next = {&start, this};
    }
    void await_resume();

private:
    friend class wait_queue;

    struct stop_handler {
        queued_wait& wait;
        void operator()() const noexcept { wait.cancel(); }
    };
    enum class state : unsigned char { idle, queued, granted, cancelled, no_scheduler, dropped };

    static std::coroutine_handle<> start(void* object) noexcept;
    void run() noexcept override;
    void cancel() noexcept;

    wait_queue& queue_;
    environment* env_ = nullptr;
    std::coroutine_handle<> waiting_;
    queued_wait* next_ = nullptr; // under the queue's mutex, as the next two
    queued_wait* previous_ = nullptr;
    state state_ = state::idle;
    bool resumed_ = false; // the coroutine has the outcome; of its own thread alone
    std::optional<std::stop_callback<stop_handler>> on_stop_;
};

} // namespace sluice::coro::detail
