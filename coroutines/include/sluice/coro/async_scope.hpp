// async_scope: tasks that run beside the one that spawned them, and end before it goes on.
#pragma once

#include <sluice/coro/chain.hpp>
#include <sluice/coro/chain_stop.hpp>
#include <sluice/coro/frame_pool.hpp>
#include <sluice/coro/scheduler.hpp>
#include <sluice/coro/task.hpp>

#include <coroutine>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace sluice::coro {

/// Spawns tasks on one scheduler and waits for all of them.
///
/// Each task is a chain of its own, without an observer: it is part of no render and must not write to one. Its
/// stop token is the scope's. The first task that fails asks the others to stop, and join rethrows its exception;
/// operation_cancelled after a stop was asked for is no failure.
///
/// Thread-safety: spawn, request_stop and running from any thread; join, and the destructor, on the scope's scheduler.
/// Memory: a task's chain comes from the frame pool; the scope itself allocates the state of its stop token.
///
/// Lifetime: join it before it is destroyed. Destroying a scope that still has tasks destroys them where they wait (as
/// when the frame that holds it is dropped); a task that has hopped to another scheduler must not be running then.
///
///     async_scope scope(co_await current_scheduler(), co_await current_stop_token());
///     for (const auto& host : hosts) scope.spawn(probe(host));
///     co_await scope.join();
class async_scope {
    class child;

public:
    /// Tasks run on `where`; a signal of `stop` is passed on to them.
    explicit async_scope(scheduler& where, std::stop_token stop = {});
    async_scope(const async_scope&) = delete;
    async_scope& operator=(const async_scope&) = delete;
    ~async_scope();

    /// Posts the start of `work`: it never runs inside the call. Also while a join waits, which then waits for it too.
    /// Throws std::bad_alloc, and then has no effect.
    void spawn(task<> work);

    /// Asks the tasks to stop, those that are spawned later too.
    void request_stop() noexcept { stop_.request_stop(); }

    /// Tasks that have been spawned and have not ended.
    std::size_t running() const noexcept;

    class [[nodiscard]] join_awaiter : private scheduled {
    public:
        using chain_awaiter = void;

        ~join_awaiter() override;
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> self) noexcept {
            env_ = &self.promise().environment();
            waiting_ = self;
            env_->next = {&start, this};
        }
        void await_resume();

    private:
        friend class async_scope;
        struct stop_handler {
            async_scope& scope;
            void operator()() const noexcept { scope.request_stop(); }
        };
        explicit join_awaiter(async_scope& scope) noexcept : scope_(scope) {}
        static std::coroutine_handle<> start(void* object) noexcept;
        void run() noexcept override;

        async_scope& scope_;
        environment* env_ = nullptr;
        std::coroutine_handle<> waiting_;
        bool no_scheduler_ = false;
        std::optional<std::stop_callback<stop_handler>> on_stop_;
    };

    /// Awaitable: completes when all tasks have ended and their frames are destroyed. One at a time. Rethrows the first
    /// failure, once. Cancellation: a stop of the joining chain asks the tasks to stop; they are awaited all the same.
    [[nodiscard]] join_awaiter join() noexcept { return join_awaiter(*this); }

private:
    struct stop_handler {
        async_scope& scope;
        void operator()() const noexcept { scope.request_stop(); }
    };
    void ended(child& which) noexcept;
    void unlink(child& which) noexcept;

    scheduler& where_;
    std::stop_source stop_;
    const chain_stop token_{stop_.get_token()};
    mutable std::mutex mutex_; // of all below
    child* newest_ = nullptr;
    std::size_t running_ = 0;
    join_awaiter* joining_ = nullptr;
    std::exception_ptr first_error_;
    std::optional<std::stop_callback<stop_handler>> on_stop_; // last: uses the others
};

} // namespace sluice::coro
