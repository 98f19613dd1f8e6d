// response_sink: a sink that makes an HTTP/1.x response of a document, on its way to another sink.
#pragma once

#include <sluice/http/response_head.hpp>
#include <sluice/output/sink.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

namespace sluice::http {

/// What of a request decides how its response is framed.
class request_traits {
public:
    /// `version`: 10 for HTTP/1.0, 11 for HTTP/1.1. `keep_alive`: the client lets the connection live on.
    constexpr request_traits(bool head, unsigned version, bool keep_alive) noexcept
        : head_(head), version_(version), keep_alive_(keep_alive) {}
    /// Of a boost::beast::http::request, or of anything that has these three.
    template <class Request>
        requires requires(const Request& request) {
            request.method_string();
            request.version();
            static_cast<bool>(request.keep_alive());
        }
    explicit request_traits(const Request& request)
        : request_traits(request.method_string() == "HEAD", static_cast<unsigned>(request.version()),
                         static_cast<bool>(request.keep_alive())) {}

    constexpr bool head() const noexcept { return head_; }
    constexpr unsigned version() const noexcept { return version_; }
    constexpr bool keep_alive() const noexcept { return keep_alive_; }

private:
    bool head_;
    unsigned version_;
    bool keep_alive_;
};

/// The head goes out with the first bytes, in one write; so until then (an exception, say) another response can be
/// sent instead. Framing (RFC 9112, sections 6 and 7): a document that comes in one write has a Content-Length; a
/// longer one is chunked, where each write is one chunk, framed in the room that an output's chunks keep for that; to
/// an HTTP/1.0 client the end of the connection ends it. A response to HEAD, or of a status without a body, is the head
/// alone.
///
/// The last chunk comes from the end of the document alone, in the write of the last bytes where there are any:
/// an empty write writes nothing, and after `abort` nothing is written, so that a failed response is never complete.
/// Status line: HTTP/1.1, also to a client of 1.0 (RFC 9110, section 6.2). Where the head sets Content-Length (except
/// for a response without a body, where that says what a body would have) or Transfer-Encoding, the sink's own take
/// their place; `Connection: close` in the head ends the connection's life. Errors: those of `to`; protocol_error for a
/// body where the status has none, with nothing sent; not_enough_memory.
class response_sink final : public sink, private write_listener {
public:
    /// `to` and `head` outlive the sink. The head is read when the first bytes come.
    response_sink(sink& to, const request_traits& request, response_head& head) noexcept
        : to_(to), request_(request), head_(head), keep_alive_(request.keep_alive()) {}

    /// The head has been handed on: no other response can be sent.
    bool committed() const noexcept { return framing_ != framing::none; }
    /// Once committed: the connection may serve another request when this response has been sent whole.
    bool keep_alive() const noexcept { return keep_alive_ && committed(); }
    /// Why `to` takes nothing more; none as long as it does.
    std::error_code failure() const noexcept { return failure_; }
    /// The status has no body, and one was written.
    bool refused() const noexcept { return refused_; }

    progress write(batch&& bytes, bool last, write_listener& listener, std::error_code& error) noexcept override;
    bool synchronous() const noexcept override { return to_.synchronous(); }
    void cancel() noexcept override { to_.cancel(); }
    void detach() noexcept override { to_.detach(); }
    void abort() noexcept override;

private:
    enum class framing : unsigned char { none, no_body, length, chunked, close };

    void written(std::error_code error) noexcept override;
    void frame(batch& bytes, bool last);
    framing choose(const batch& bytes, bool last) noexcept;
    bool take_connection_field(std::string& others) const;
    std::string make_head(framing how, std::size_t length);

    sink& to_;
    const request_traits request_;
    response_head& head_;
    write_listener* listener_ = nullptr;
    std::error_code failure_;
    framing framing_ = framing::none;
    bool keep_alive_;
    bool refused_ = false;
    bool aborted_ = false;
};

} // namespace sluice::http
