// One response in the making: what of async_respond does not depend on the types of stream, request and content.
#pragma once

#include <sluice/coro/task.hpp>
#include <sluice/http/respond_options.hpp>
#include <sluice/http/respond_result.hpp>
#include <sluice/http/response_head.hpp>
#include <sluice/http/response_sink.hpp>
#include <sluice/output/shared_bytes.hpp>
#include <sluice/output/sink.hpp>
#include <sluice/render/render.hpp>

#include <concepts>
#include <exception>

namespace sluice::http::detail {

/// The connection as a response needs it. Outlives the response.
class connection {
public:
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;

    /// Where the bytes go.
    virtual sink& writer() noexcept = 0;
    /// Closes the stream so that the client cannot take what it has for the whole.
    virtual void close_abruptly() noexcept = 0;

protected:
    connection() = default;
    ~connection() = default;
};

class response {
public:
    response(connection& to, const request_traits& request, response_head&& head, const respond_options& options);

    sluice::detail::document& document() noexcept { return document_; }
    response_head& head() noexcept { return head_; }

    /// Runs the content, where the response has a body, and sends everything. Never throws.
    coro::task<respond_result> run(coro::task<> content);

private:
    coro::task<> render(coro::task<> content, respond_result& result);
    coro::task<> send(response_head& head, shared_bytes body, respond_result& result);
    coro::task<> send_error(respond_result& result);

    connection& connection_;
    const request_traits request_;
    response_head head_;
    const respond_options options_;
    response_sink sink_;
    sluice::detail::document document_;
};

/// Awaits `content(slot, head)` or, where it takes no head, `content(slot)`. Owns the callable, and with it whatever
/// slots it keeps: they are gone before the document ends.
template <class Content>
coro::task<> call_content(response& to, Content content) {
    if constexpr (std::invocable<Content&, slot, response_head&>) {
        static_assert(!std::invocable<Content&, slot, response_head>,
                      "sluice: the content of a response takes the head by reference, as response_head&: what it "
                      "changes in a copy is lost");
        static_assert(!std::is_void_v<std::invoke_result_t<Content&, slot, response_head&>>, SLUICE_NOTHING_TO_AWAIT);
        co_await content(sluice::detail::slot_access::root(to.document()), to.head());
    } else {
        static_assert(std::invocable<Content&, slot>,
                      "sluice: the content of a response is called with a sluice::slot, or with that and a "
                      "sluice::http::response_head&");
        if constexpr (std::invocable<Content&, slot>)
            static_assert(!std::is_void_v<std::invoke_result_t<Content&, slot>>, SLUICE_NOTHING_TO_AWAIT);
        co_await content(sluice::detail::slot_access::root(to.document()));
    }
}

/// The whole operation; owns head, content, document and buffers.
template <class Connection, class Stream, class Content>
coro::task<respond_result> respond(Stream& stream, request_traits request, response_head head, Content content,
                                   respond_options options) {
    Connection connection(stream);
    response made(connection, request, std::move(head), options);
    co_return co_await made.run(call_content(made, std::move(content)));
}

} // namespace sluice::http::detail
