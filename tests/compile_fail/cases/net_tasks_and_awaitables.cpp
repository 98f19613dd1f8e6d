// Each of a boost::asio::awaitable and a task, awaited bare in the other: both errors name the way over.
// expect: sluice::net::from_awaitable
// expect: sluice::net::as_operation

#include <sluice/net/as_operation.hpp>
#include <sluice/net/from_awaitable.hpp>

#include <boost/asio/awaitable.hpp>

boost::asio::awaitable<int> asio_answer() {
    co_return 42;
}
sluice::coro::task<int> answer() {
    co_return 42;
}

sluice::coro::task<int> render() {
#ifdef SLUICE_MISTAKE
    co_return co_await asio_answer();
#else
    co_return co_await sluice::net::from_awaitable(asio_answer());
#endif
}

boost::asio::awaitable<int> session() {
#ifdef SLUICE_MISTAKE
    co_return co_await answer();
#else
    co_return co_await sluice::net::as_operation(answer());
#endif
}
