// chain<T>: a task with an environment of its own, for whoever starts one: a runner.
//
// Runners are built on this (sync_wait, when_all, async_scope, net::spawn, a render); templates never need it.
#pragma once

#include <sluice/coro/environment.hpp>
#include <sluice/coro/task.hpp>

#include <utility>

namespace sluice::coro {

template <class T>
class chain {
public:
    /// Takes the task; nothing runs yet.
    chain(task<T> work, environment env) noexcept : environment_(env), task_(std::move(work)) {}
    chain(const chain&) = delete;
    chain& operator=(const chain&) = delete;
    /// Destroying a started, unfinished chain abandons it, see task.
    ~chain() = default;

    /// Runs the task in the calling thread, on this stack, until it waits or ends. `completion` is called once, on an
    /// empty stack of the chain, when the task has ended; it may destroy the chain, and may be called inside start.
    void start(chain_step completion) noexcept {
        task_.handle_.promise().start_as_root(environment_, completion);
        run_chain(environment_, task_.handle_);
    }

    bool finished() const noexcept { return task_.handle_.done(); }

    /// True when the task has ended by an exception.
    bool failed() const noexcept { return task_.handle_.promise().failed(); }

    /// The finished task's result, once; rethrows what it threw.
    T result() { return task_.handle_.promise().result(); }

    coro::environment& environment() noexcept { return environment_; }

private:
    coro::environment environment_;
    task<T> task_;
};

} // namespace sluice::coro
