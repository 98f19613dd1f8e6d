// The outcome of a response, as a value.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>

namespace sluice::http {

enum class respond_outcome : unsigned char {
    /// The whole response has been taken by the stream.
    complete,
    /// The stream failed: the client has reset, closed or vanished.
    client_gone,
    /// The template failed. If the head had not been sent, an error response went out in its place.
    render_error,
    /// The operation was cancelled, or what it ran in was asked to stop.
    cancelled,
};

/// "complete", "client gone", "render error", "cancelled": for a log.
std::string_view to_string(respond_outcome outcome) noexcept;

struct [[nodiscard]] respond_result {
    respond_outcome outcome = respond_outcome::complete;
    /// None when complete; else an errc (template_threw where the template ended by an exception of its own) or the
    /// stream's error.
    std::error_code error;
    /// What the template threw, if it ended by an exception.
    std::exception_ptr exception;
    /// What went wrong and where in the document, for a log; empty when complete. It is not for the client.
    std::string message;
    /// The status that was sent; 0 when no head was.
    unsigned status = 0;
    /// Bytes of the document that the stream has taken: without head and framing, and without those of an error
    /// response.
    std::uint64_t bytes = 0;
    /// How often the template waited for the stream.
    std::uint64_t suspensions = 0;
    /// A head has been handed to the stream: the response's own, or that of an error response.
    bool committed = false;
    /// The connection may serve another request: a whole response has been sent, and neither it nor the request ends
    /// the connection.
    bool keep_alive = false;
    /// The response could not be sent whole, and the stream has been closed, without an orderly end.
    bool closed = false;

    // A class with a constructor: g++ 12 destroys aggregate temporaries in co_await expressions twice.
    respond_result() noexcept {}
    explicit operator bool() const noexcept { return outcome == respond_outcome::complete; }
};

} // namespace sluice::http
