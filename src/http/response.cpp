#include <sluice/http/detail/response.hpp>
#include <sluice/output/output.hpp>

#include <string>
#include <utility>

namespace sluice::http {

std::string_view to_string(respond_outcome outcome) noexcept {
    switch (outcome) {
    case respond_outcome::complete:
        return "complete";
    case respond_outcome::client_gone:
        return "client gone";
    case respond_outcome::render_error:
        return "render error";
    case respond_outcome::cancelled:
        return "cancelled";
    }
    return {};
}

namespace detail {

namespace {

using sluice::detail::content_run;
using sluice::detail::drained;
using sluice::detail::wait_for;

respond_outcome outcome_of(std::error_code error, const response_sink& sink) noexcept {
    if (!error)
        return respond_outcome::complete;
    if (error == errc::cancelled)
        return respond_outcome::cancelled;
    // After a failure of the template the sink fails too, by being cancelled.
    return error == sink.failure() ? respond_outcome::client_gone : respond_outcome::render_error;
}

} // namespace

response::response(connection& to, const request_traits& request, response_head&& head, const respond_options& options)
    : connection_(to),
      request_(request),
      head_(std::move(head)),
      options_(options),
      sink_(to.writer(), request_, head_),
      document_(sink_, options_.render()) {}

coro::task<respond_result> response::run(coro::task<> content) {
    respond_result result;
    try {
        if (request_.head() || !allows_body(head_.status()))
            co_await send(head_, shared_bytes(), result);
        else
            co_await render(std::move(content), result);
    } catch (...) { // no memory
        result.outcome = respond_outcome::render_error;
        result.error = std::make_error_code(std::errc::not_enough_memory);
        result.exception = std::current_exception();
        result.closed = true;
    }
    if (result.closed) {
        result.keep_alive = false;
        connection_.close_abruptly();
    }
    co_return result;
}

coro::task<> response::render(coro::task<> content, respond_result& result) {
    std::exception_ptr thrown;
    {
        content_run run(document_, std::move(content));
        co_await run;
        thrown = run.exception();
    }
    co_await drained(document_, wait_for::finish);

    const bool nothing_written = document_.error() == errc::no_root;
    if (nothing_written && !allows_body(head_.status())) { // the template has chosen to send no body
        co_await send(head_, shared_bytes(), result);
        co_return;
    }
    render_result rendered = sluice::detail::result_of(document_, thrown);
    result.outcome = outcome_of(document_.error(), sink_);
    result.error = rendered.error;
    result.exception = rendered.exception;
    result.message = rendered.message();
    result.bytes = rendered.bytes;
    result.suspensions = rendered.suspensions;
    result.committed = sink_.committed();
    if (result.committed)
        result.status = head_.status();
    if (sink_.refused())
        result.message = "status " + std::to_string(head_.status()) + " has no body, and the template wrote one";
    if (result.outcome == respond_outcome::complete)
        result.keep_alive = sink_.keep_alive();
    else if (result.outcome == respond_outcome::render_error && !result.committed)
        co_await send_error(result);
    else
        result.closed = true;
}

// Sends what is known whole. A result that tells of an error already keeps it.
coro::task<> response::send(response_head& head, shared_bytes body, respond_result& result) {
    response_sink to(connection_.writer(), request_, head);
    output out(to, options_.render().output());
    out.append(std::move(body));
    co_await drained(out, wait_for::finish);

    result.committed = to.committed();
    if (result.committed)
        result.status = head.status();
    result.keep_alive = !out.failed() && to.keep_alive();
    result.closed = out.failed();
    if (out.failed() && result.outcome == respond_outcome::complete) {
        result.outcome = outcome_of(out.error(), to);
        result.error = out.error();
        result.message = out.error_detail();
    }
}

// RFC 9457. It tells the client nothing of what went wrong.
coro::task<> response::send_error(respond_result& result) {
    response_head head(500);
    head.set("Content-Type", "application/problem+json");
    std::string body = R"({"title":"Internal Server Error","status":500})";
    co_await send(head, shared_bytes(std::move(body)), result);
}

} // namespace detail

} // namespace sluice::http
