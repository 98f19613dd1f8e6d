// from_awaitable: awaits a boost::asio::awaitable in a task.
//
//     const auto rows = co_await net::from_awaitable(database.query("select ..."));
#pragma once

#include <sluice/coro/scheduler.hpp>
#include <sluice/coro/task.hpp>
#include <sluice/coro/this_chain.hpp>
#include <sluice/net/executor_scheduler.hpp>
#include <sluice/net/use_task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>

#include <utility>

namespace sluice::net {

/// A task that runs the awaitable on its chain's executor, by co_spawn, and returns or throws what that does.
///
/// The result of the awaitable is void or default constructible, as co_spawn has it. Throws coro::no_scheduler where
/// the chain does not run on Asio. Cancellation: a stop request of the chain is `terminal` for the awaitable. When the
/// task is destroyed while the awaitable waits, that is cancelled and left to itself: what it refers to must live until
/// it has ended. The awaitable has not been started; it is owned from here on.
template <class T>
coro::task<T> from_awaitable(boost::asio::awaitable<T> awaitable) {
    coro::scheduler& here = co_await coro::current_scheduler();
    boost::asio::any_io_executor executor = executor_of(here);
    auto operation = boost::asio::co_spawn(executor, std::move(awaitable), use_task);
    co_return co_await std::move(operation);
}

} // namespace sluice::net
