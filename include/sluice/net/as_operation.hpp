// as_operation: makes an asynchronous operation of a task, to be awaited in a boost::asio::awaitable, or started under
// any completion token.
//
//     asio::awaitable<void> session(tcp::socket socket) {
//         const std::string page = co_await net::as_operation(render_page());
//     }
#pragma once

#include <sluice/coro/task.hpp>
#include <sluice/net/spawn.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <type_traits>
#include <utility>

namespace sluice::net {

namespace detail {

// Spawns on the executor of whoever waits.
struct spawn_here {
    template <class Handler, class T>
    void operator()(Handler&& handler, coro::task<T> work) const {
        static_assert(
            !std::is_same_v<boost::asio::associated_executor_t<std::decay_t<Handler>>, boost::asio::system_executor>,
            "sluice: as_operation runs the task on the handler's associated executor, and this handler has none: "
            "use net::spawn(executor, task, token), or bind_executor");
        boost::asio::any_io_executor executor(boost::asio::get_associated_executor(handler));
        spawn_initiation{std::move(executor)}(std::forward<Handler>(handler), std::move(work));
    }
};

} // namespace detail

/// The operation that `co_await net::as_operation(t)` waits for in an awaitable, with that executor type.
///
/// Everything is as for spawn, on the executor that the awaitable runs on. The task starts when the result is awaited.
/// (An awaitable and not an operation that takes a token: Asio of Boost 1.81 cannot await one with this signature.)
template <class T, class Executor = boost::asio::any_io_executor>
boost::asio::awaitable<T, Executor> as_operation(coro::task<T> work) {
    Executor executor = co_await boost::asio::this_coro::executor;
    auto operation = spawn(executor, std::move(work), boost::asio::use_awaitable_t<Executor>());
    co_return co_await std::move(operation);
}

/// Starts the task at once under `token`, on the associated executor of the token's handler, as spawn does.
template <class T, class Token>
auto as_operation(coro::task<T> work, Token&& token) {
    return boost::asio::async_initiate<Token, typename detail::spawn_signature<T>::type>(detail::spawn_here(), token,
                                                                                         std::move(work));
}

} // namespace sluice::net
