// async_respond: renders a document and sends it as the response to an HTTP request, while it is being rendered.
//
//     beast::http::request<beast::http::string_body> request = ...;
//     auto page = [&](sluice::slot out) { return render_page(std::move(out), model); };
//     auto result = co_await sluice::http::async_respond(stream, buffer, request, {}, page, {}, asio::use_awaitable);
//     if (!result.keep_alive) ...
#pragma once

#include <sluice/gcc12.hpp>
#include <sluice/http/detail/response.hpp>
#include <sluice/http/respond_options.hpp>
#include <sluice/http/respond_result.hpp>
#include <sluice/http/response_head.hpp>
#include <sluice/http/response_sink.hpp>
#include <sluice/moved.hpp>
#include <sluice/net/spawn.hpp>
#include <sluice/net/stream_sink.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associator.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/socket_base.hpp>
#include <boost/beast/core/stream_traits.hpp>

#include <exception>
#include <type_traits>
#include <utility>

namespace sluice::http {

namespace detail {

template <class Stream>
class stream_connection final : public connection {
public:
    explicit stream_connection(Stream& stream) : stream_(stream), writer_(stream) {}

    sink& writer() noexcept override { return writer_; }

    // By a reset where it is a socket: an orderly end is what an HTTP/1.0 client takes for the end of the body.
    void close_abruptly() noexcept override {
        try {
            auto& lowest = boost::beast::get_lowest_layer(stream_);
            boost::system::error_code ignored;
            const boost::asio::socket_base::linger at_once(true, 0);
            if constexpr (requires { lowest.socket().set_option(at_once, ignored); })
                lowest.socket().set_option(at_once, ignored);
            else if constexpr (requires { lowest.set_option(at_once, ignored); })
                lowest.set_option(at_once, ignored);
            boost::beast::close_socket(lowest);
        } catch (...) {
            return; // it is closed already
        }
    }

private:
    Stream& stream_;
    net::stream_sink<Stream> writer_;
};

// What spawn calls: the task never throws, so that what is left of its exception is a lack of memory.
template <class Handler>
class respond_handler {
public:
    explicit respond_handler(Handler handler) : handler_(std::move(handler)) {}

    void operator()(std::exception_ptr thrown, respond_result result) {
        if (thrown) {
            result.outcome = respond_outcome::render_error;
            result.error = std::make_error_code(std::errc::not_enough_memory);
            result.exception = std::move(thrown);
        }
        std::move(handler_)(std::move(result));
    }

    const Handler& inner() const noexcept { return handler_; }

private:
    Handler handler_;
};

class respond_initiation {
public:
    using executor_type = boost::asio::any_io_executor;
    explicit respond_initiation(boost::asio::any_io_executor executor) noexcept : executor_(std::move(executor)) {}
    executor_type get_executor() const noexcept { return executor_; }

    template <class Handler>
    void operator()(Handler&& handler, coro::task<respond_result> work) const {
        net::spawn(executor_, std::move(work), respond_handler<std::decay_t<Handler>>(std::forward<Handler>(handler)));
    }

private:
    boost::asio::any_io_executor executor_;
};

} // namespace detail

/// Asynchronous operation: sends what `content` renders as the response to `request`.
///
/// Signature: void(respond_result). What went wrong is a value, whatever the token: it never throws.
/// Completes when the whole response has been taken by the stream or, after a failure, when nothing of it is in flight
/// any more; the handler is posted to its associated executor, by default the stream's.
///
/// `stream`: an AsyncWriteStream that boost::beast::get_lowest_layer and close_socket know (tcp_stream, ssl_stream, a
/// socket, the user's own). Its executor is serial: an io_context run by one thread, or a strand. The template runs on
/// it. `buffer`: the connection's read buffer; what it holds already of the next request stays in it. `request`: has
/// been read whole. Method, version and keep-alive are taken before the call returns, and nothing of it is referred to
/// after that. `head`: a response_head or what makes one: a status, a Beast response. `content`: called with a slot, or
/// with a slot and a response_head&, which it may change until the head is sent; returns what is to be awaited. It is
/// not called for HEAD, nor for a status without a body. A template that changes the status to such a one leaves the
/// slot unfilled.
///
/// In flight together: one response and any reads of the same stream, no other write.
/// Lifetimes: `stream` and `buffer` outlive the operation. Head and content are moved in and kept, with chain, document
/// and buffers, until it completes or the stream's execution context is destroyed; what they refer to must live as
/// long. Errors: as long as the head has not been sent (no chunk is full, nothing is flushed, the end is not reached),
/// a failure of the template is answered with 500 and application/problem+json. After that the response is cut: neither
/// the document's closings nor the last chunk are sent, and the stream is closed by a reset. See respond_result.
/// Cancellation: `terminal` stops the template and fails the response as above, without an error response. It takes
/// effect by a post; nothing follows what the stream was taking at that moment. One that comes too late to cut the last
/// write leaves the response complete.
/// Throws std::bad_alloc, before anything has begun. On g++ 12, under a token that is awaited, a temporary lambda with
/// captures that need a destructor does not compile: name it on the line before, and pass it or sluice::moved(it).
template <class Stream, class Buffer, class Request, class Content, class Token>
auto async_respond(Stream& stream, Buffer& buffer, const Request& request, response_head head, Content&& content,
                   const respond_options& options, Token&& token) {
    static_cast<void>(buffer);
    using kept = sluice::detail::taken_t<Content>;
    using result = decltype(boost::asio::async_initiate<Token, void(respond_result)>(
        std::declval<detail::respond_initiation>(), token, std::declval<coro::task<respond_result>>()));
    if constexpr (sluice::detail::awaited_result<result>)
        SLUICE_REFUSE_RISKY_CALLABLE_OF("async_respond: ", Content);
    return boost::asio::async_initiate<Token, void(respond_result)>(
        detail::respond_initiation(stream.get_executor()), token,
        detail::respond<detail::stream_connection<Stream>, Stream, kept>(
            stream, request_traits(request), std::move(head), sluice::detail::take<Content>(content), options));
}

} // namespace sluice::http

template <template <class, class> class Associator, class Handler, class Default>
struct boost::asio::associator<Associator, sluice::http::detail::respond_handler<Handler>, Default>
    : Associator<Handler, Default> {
    static typename Associator<Handler, Default>::type
    get(const sluice::http::detail::respond_handler<Handler>& handler, const Default& fallback = Default()) noexcept {
        return Associator<Handler, Default>::get(handler.inner(), fallback);
    }
};
