// A temporary lambda with captures that need a destructor, spawned, and given to a response, under an awaited token. clang
// is right about it.
// expect: spawn: .*on the line before and pass it, or sluice::moved\(it\)
// expect: async_respond: .*on the line before and pass it, or sluice::moved\(it\)
// only: affected

#include <sluice/http/respond.hpp>
#include <sluice/net/spawn.hpp>
#include <sluice/net/use_task.hpp>
#include <sluice/sluice.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>

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

namespace http = boost::beast::http;

sluice::task<> answer(boost::beast::tcp_stream& stream, boost::beast::flat_buffer& buffer,
                      const http::request<http::empty_body>& request, std::string text) {
    const sluice::http::respond_options options;
#ifdef SLUICE_MISTAKE
    co_await sluice::http::async_respond(
        stream, buffer, request, http::status::ok, [text](sluice::slot out) { return out(text); }, options,
        sluice::net::use_task);
#else
    auto page = [text](sluice::slot out) { return out(text); };
    co_await sluice::http::async_respond(stream, buffer, request, http::status::ok, page, options,
                                         sluice::net::use_task);
    co_await sluice::http::async_respond(stream, buffer, request, http::status::ok, sluice::moved(page), options,
                                         sluice::net::use_task);
#endif
}
