// A task that is awaited bare in a boost::asio::awaitable.
// expect: sluice::net::as_operation

#include <sluice/net/as_operation.hpp>

#include <boost/asio/awaitable.hpp>

sluice::coro::task<int> answer() {
    co_return 42;
}

boost::asio::awaitable<int> session() {
#ifdef SLUICE_MISTAKE
    co_return co_await answer();
#else
    co_return co_await sluice::net::as_operation(answer());
#endif
}
