// sync_wait: runs a task to its end on the calling thread.
#pragma once

#include <sluice/coro/chain.hpp>
#include <sluice/coro/chain_stop.hpp>
#include <sluice/coro/run_loop.hpp>
#include <sluice/coro/task.hpp>

#include <coroutine>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace sluice::coro {

/// Runs `work` and blocks until it has ended. Returns its result (a value, a reference, or nothing) or rethrows what it
/// threw.
///
/// The chain has a run_loop of its own for its scheduler, which runs posts and timers on the calling thread by the real
/// clock; the task reaches it with `co_await current_scheduler()`. The loop blocks while there is nothing to run, until
/// another thread posts: a task that waits for what nobody does waits for ever.
/// Cancellation: `stop` becomes the chain's stop token; a signal makes its waits throw operation_cancelled, on this
/// thread. It does not end a task that catches it.
/// In flight together: any number, on any threads; also from inside a task, whose thread then is blocked meanwhile.
///
///     const int n = sync_wait(count_lines(path));
template <class T>
T sync_wait(task<T> work, std::stop_token stop = {}) {
    run_loop loop;
    const chain_stop token{std::move(stop)};
    chain<T> root(std::move(work), environment(&loop, &token));
    // Also where the task ends on another thread (resume_on). The loop may be gone once it has been told.
    root.start({[](void* object) noexcept -> std::coroutine_handle<> {
                    static_cast<run_loop*>(object)->finish();
                    return nullptr;
                },
                &loop});
    loop.run();
    return root.result();
}

namespace detail {

template <class T>
struct value_or_lvalue {
    using type = std::remove_cvref_t<T>;
};
template <class T>
struct value_or_lvalue<T&> {
    using type = T&;
};
template <class Awaitable>
using await_value_t = typename value_or_lvalue<decltype(std::declval<awaiter_of<Awaitable>&>().await_resume())>::type;

template <class Awaitable>
task<await_value_t<Awaitable>> task_of(Awaitable&& awaitable) {
    co_return co_await static_cast<Awaitable&&>(awaitable);
}

} // namespace detail

/// Waits for any other awaitable, of this library or foreign, in a task of its own. A result that is an rvalue
/// reference is returned as a value.
template <class Awaitable>
    requires is_awaitable<Awaitable>
decltype(auto) sync_wait(Awaitable&& awaitable, std::stop_token stop = {}) {
    return sync_wait(detail::task_of<Awaitable>(static_cast<Awaitable&&>(awaitable)), std::move(stop));
}

} // namespace sluice::coro
