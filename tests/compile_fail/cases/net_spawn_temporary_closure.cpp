// A temporary lambda with captures that need a destructor, spawned under a token that is awaited. Only g++ 12 and older
// refuse it: clang is right about it.
// expect: on the line before and pass it, or sluice::moved\(it\)
// only: affected

#include <sluice/net/spawn.hpp>
#include <sluice/net/use_task.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <string>

sluice::coro::task<> parent(boost::asio::any_io_executor executor, std::string text) {
#ifdef SLUICE_MISTAKE
    co_await sluice::net::spawn(executor, [text]() -> sluice::coro::task<> { co_return; }, sluice::net::use_task);
#else
    auto child = [text]() -> sluice::coro::task<> { co_return; };
    co_await sluice::net::spawn(executor, child, sluice::net::use_task);
    co_await sluice::net::spawn(executor, sluice::moved(child), sluice::net::use_task);
#endif
}
