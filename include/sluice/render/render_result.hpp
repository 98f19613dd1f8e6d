// The outcome of a render, as a value.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <system_error>

namespace sluice {

struct [[nodiscard]] render_result {
    /// Success only when the whole document has been taken by the sink. An errc, the sink's error, or
    /// errc::template_threw when the template ended by an exception of its own.
    std::error_code error;
    /// What the template threw, if it ended by an exception.
    std::exception_ptr exception;
    /// Where it went wrong, as in `$.author.name`, and what, in words; empty on success.
    std::string path;
    std::string detail;
    /// Bytes that the sink has taken.
    std::uint64_t bytes = 0;
    /// How often the template waited for the sink.
    std::uint64_t suspensions = 0;

    // A class with a constructor: g++ 12 destroys aggregate temporaries in co_await expressions twice.
    render_result() noexcept {}
    /// Code, path and detail in one line, for a log; empty on success.
    std::string message() const;
    explicit operator bool() const noexcept { return !error; }
};

/// Rethrows what the template threw, or throws the error as a render_error; does nothing on success.
void throw_if_failed(const render_result& result);

} // namespace sluice
