// Content that takes the response's head by value: what it changes would be lost.
// expect: takes the head by reference, as response_head&

#include <sluice/http/respond.hpp>
#include <sluice/sluice.hpp>

#include <boost/asio/detached.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>

namespace http = boost::beast::http;

void answer(boost::beast::tcp_stream& stream, boost::beast::flat_buffer& buffer,
            const http::request<http::empty_body>& request) {
    const auto done = [](const sluice::http::respond_result&) {};
#ifdef SLUICE_MISTAKE
    const auto page = [](sluice::slot out, sluice::http::response_head head) {
        head.status(404);
        return out(1);
    };
#else
    const auto page = [](sluice::slot out, sluice::http::response_head& head) {
        head.status(404);
        return out(1);
    };
#endif
    sluice::http::async_respond(stream, buffer, request, http::status::ok, page, {}, done);
    sluice::http::async_respond(stream, buffer, request, http::response<http::empty_body>(), page, {}, done);
}
