// on: runs a task on another scheduler and comes back.
#pragma once

#include <sluice/coro/chain.hpp>
#include <sluice/coro/chain_stop.hpp>
#include <sluice/coro/frame_pool.hpp>
#include <sluice/coro/scheduler.hpp>
#include <sluice/coro/task.hpp>

#include <coroutine>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace sluice::coro {

namespace detail {

// What both schedulers know of: lives until the task has ended and its awaiter is gone.
class remote_run : public pooled_frame {
public:
    remote_run(const remote_run&) = delete;
    remote_run& operator=(const remote_run&) = delete;
    virtual ~remote_run() = default;

    // On the home scheduler. Throws std::bad_alloc, and then nothing has begun.
    void begin(scheduler& where, environment& home, std::coroutine_handle<> waiting);
    // On the home scheduler: the awaiter is gone. Deletes this, now or when the task has ended.
    void drop() noexcept;
    std::stop_source& stop() noexcept { return stop_; }

protected:
    remote_run() = default;
    virtual void start_task(scheduler& where, const chain_stop& stop, chain_step completion) noexcept = 0;

private:
    struct outward final : scheduled {
        explicit outward(remote_run& owner) noexcept : run_(owner) {}
        void run() noexcept override { run_.arrived(); }
        remote_run& run_;
    };
    struct homeward final : scheduled {
        explicit homeward(remote_run& owner) noexcept : run_(owner) {}
        void run() noexcept override { run_.returned(); }
        remote_run& run_;
    };

    void arrived() noexcept;
    void ended() noexcept;
    void returned() noexcept;

    scheduler* where_ = nullptr;
    environment* home_ = nullptr;
    std::coroutine_handle<> waiting_;
    std::stop_source stop_;
    chain_stop token_{stop_.get_token()};
    outward outward_{*this};
    homeward homeward_{*this};
    std::mutex mutex_;
    enum class state : unsigned char { idle, away, dropped, back } state_ = state::idle; // under the mutex
};

template <class T>
class remote_task final : public remote_run {
public:
    explicit remote_task(task<T> work) noexcept : chain_(std::move(work), environment()) {}
    T result() { return chain_.result(); }

private:
    void start_task(scheduler& where, const chain_stop& stop, chain_step completion) noexcept override {
        chain_.environment() = environment(&where, &stop);
        chain_.start(completion);
    }
    chain<T> chain_;
};

class on_base {
public:
    using chain_awaiter = void;

    on_base(const on_base&) = delete;
    on_base& operator=(const on_base&) = delete;

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) noexcept {
        env_ = &self.promise().environment();
        waiting_ = self;
        env_->next = {&start, this};
    }

protected:
    on_base(scheduler& where, remote_run& run) noexcept : where_(where), run_(run) {}
    ~on_base();
    void resumed();

private:
    struct stop_handler {
        std::stop_source& away;
        void operator()() const noexcept { away.request_stop(); }
    };
    static std::coroutine_handle<> start(void* object) noexcept;

    scheduler& where_;
    remote_run& run_;
    environment* env_ = nullptr;
    std::coroutine_handle<> waiting_;
    std::exception_ptr error_;
    std::optional<std::stop_callback<stop_handler>> on_stop_;
};

} // namespace detail

/// Awaitable: runs a task on the scheduler `where`, then goes on here. This is the way for a render, which never leaves
/// its own scheduler, to have work done elsewhere.
///
/// The task is a chain of its own without an observer: it is part of no render and must not write to one. Completes, on
/// the caller's scheduler, with the task's result; rethrows what it threw. Both schedulers may be on different threads;
/// `where` must outlive the task. Cancellation: a stop of the caller is passed on, and the task decides.
/// Destroying it while the task is away asks that to stop and lets it end by itself, since nobody can take it from
/// another thread's hands: what the task refers to must outlive it, so give it values. One that had not begun never
/// does. Throws std::bad_alloc, no_scheduler where the caller has none to come back to. Allocates the state of a stop
/// token; the rest comes from the frame pool.
///
///     const auto digest = co_await on(workers, hash_of(std::move(bytes)));
template <class T>
class [[nodiscard]] on : public detail::on_base {
public:
    on(scheduler& where, task<T> work) : on(where, *new detail::remote_task<T>(std::move(work))) {}
    T await_resume() {
        resumed();
        return run_.result();
    }

private:
    on(scheduler& where, detail::remote_task<T>& run) noexcept : on_base(where, run), run_(run) {}
    detail::remote_task<T>& run_;
};

} // namespace sluice::coro
