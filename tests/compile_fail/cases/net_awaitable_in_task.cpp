// A boost::asio::awaitable that is awaited bare in a task.
// expect: sluice::net::from_awaitable

#include <sluice/net/from_awaitable.hpp>

#include <boost/asio/awaitable.hpp>

boost::asio::awaitable<int> answer() {
    co_return 42;
}

sluice::coro::task<int> render() {
#ifdef SLUICE_MISTAKE
    co_return co_await answer();
#else
    co_return co_await sluice::net::from_awaitable(answer());
#endif
}
