// A task that is awaited bare in a boost::asio::awaitable: says what to write instead.
#pragma once

#include <sluice/coro/task.hpp>

#include <boost/asio/async_result.hpp>

namespace sluice::net::detail {

template <class T>
inline constexpr bool is_no_operation = false;

} // namespace sluice::net::detail

// What awaitable's await_transform asks of whatever it does not know.
template <class T>
struct boost::asio::is_async_operation<sluice::coro::task<T>> {
    static constexpr bool value = false;
    static_assert(sluice::net::detail::is_no_operation<T>,
                  "sluice: a sluice task cannot be awaited bare in a boost::asio::awaitable: write "
                  "co_await sluice::net::as_operation(t)");
};

template <class T>
struct boost::asio::is_async_operation<sluice::coro::task<T>&>
    : boost::asio::is_async_operation<sluice::coro::task<T>> {};
