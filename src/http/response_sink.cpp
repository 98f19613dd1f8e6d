#include <sluice/http/response_sink.hpp>
#include <sluice/output/shared_bytes.hpp>

#include <boost/beast/http/status.hpp>

#include <charconv>
#include <ostream> // which status.hpp of Boost 1.81 uses and does not include
#include <utility>

namespace sluice::http {

namespace {

constexpr std::string_view last_chunk = "0\r\n\r\n";

void add_field(std::string& text, std::string_view name, std::string_view value) {
    text.append(name).append(": ").append(value).append("\r\n");
}

} // namespace

sink::progress response_sink::write(batch&& bytes, bool last, write_listener& listener,
                                    std::error_code& error) noexcept {
    batch held = std::move(bytes);
    error = failure_;
    if (!error && aborted_)
        error = std::make_error_code(std::errc::operation_canceled);
    if (error || (held.empty() && !last))
        return progress::done;
    try {
        frame(held, last);
    } catch (...) {
        aborted_ = true;
        error = std::make_error_code(std::errc::not_enough_memory);
        return progress::done;
    }
    if (refused_) {
        error = std::make_error_code(std::errc::protocol_error);
        return progress::done;
    }
    listener_ = &listener;
    const progress how = to_.write(std::move(held), last, *this, error);
    if (how == progress::done && error)
        failure_ = error;
    return how;
}

void response_sink::written(std::error_code error) noexcept {
    failure_ = error;
    listener_->written(error);
}

void response_sink::abort() noexcept {
    aborted_ = true;
    if (committed())
        to_.abort();
}

response_sink::framing response_sink::choose(const batch& bytes, bool last) noexcept {
    if (request_.head() || !detail::allows_body(head_.status())) {
        refused_ = !bytes.empty();
        return refused_ ? framing::none : framing::no_body;
    }
    if (last)
        return framing::length;
    return request_.version() >= 11 ? framing::chunked : framing::close;
}

// Puts round the bytes what belongs there; with the first ones, the head.
void response_sink::frame(batch& bytes, bool last) {
    const framing how = committed() ? framing_ : choose(bytes, last);
    if (refused_)
        return;
    std::string head;
    if (!committed())
        head = make_head(how, bytes.size());
    if (how == framing::chunked) {
        if (bytes.empty()) {
            bytes.add(shared_bytes(nullptr, last_chunk));
        } else {
            char line[2 * sizeof(std::size_t) + 2];
            char* end = std::to_chars(line, line + sizeof line - 2, bytes.size(), 16).ptr;
            *end++ = '\r';
            *end++ = '\n';
            bytes.frame({line, static_cast<std::size_t>(end - line)}, last ? "\r\n0\r\n\r\n" : "\r\n");
        }
    }
    if (committed())
        return;
    batch whole;
    whole.add(shared_bytes(std::move(head)));
    whole.add(std::move(bytes));
    bytes = std::move(whole);
    framing_ = how;
    head_.sent_ = true;
}

// What the head's own Connection fields say: true for close; tokens that are not about the connection's life are kept.
bool response_sink::take_connection_field(std::string& others) const {
    bool close = false;
    for (const response_head::field& each : head_.fields()) {
        if (!detail::same_name(each.name, "Connection"))
            continue;
        std::string_view left = each.value;
        while (!left.empty()) {
            const std::size_t comma = left.find(',');
            std::string_view token = left.substr(0, comma);
            left = comma == std::string_view::npos ? std::string_view() : left.substr(comma + 1);
            const std::size_t first = token.find_first_not_of(" \t");
            if (first == std::string_view::npos)
                continue;
            token = token.substr(first, token.find_last_not_of(" \t") + 1 - first);
            if (detail::same_name(token, "close"))
                close = true;
            else if (!detail::same_name(token, "keep-alive"))
                others.append(others.empty() ? "" : ", ").append(token);
        }
    }
    return close;
}

std::string response_sink::make_head(framing how, std::size_t length) {
    std::string connection;
    if (take_connection_field(connection) || how == framing::close)
        keep_alive_ = false;
    if (!keep_alive_)
        connection.append(connection.empty() ? "" : ", ").append("close");
    else if (request_.version() < 11)
        connection.append(connection.empty() ? "" : ", ").append("keep-alive");

    const unsigned status = head_.status();
    const auto reason = boost::beast::http::obsolete_reason(boost::beast::http::int_to_status(status));
    std::string text = "HTTP/1.1 " + std::to_string(status) + ' ';
    if (boost::beast::http::int_to_status(status) != boost::beast::http::status::unknown)
        text.append(reason.data(), reason.size());
    text += "\r\n";
    if (detail::allows_body(status) && head_.find("Content-Type") == nullptr)
        add_field(text, "Content-Type", "application/json");
    for (const response_head::field& each : head_.fields()) {
        // To HEAD, and with 304, a length says what a body would have (RFC 9110, section 8.6).
        const bool tells_length = how == framing::no_body && (detail::allows_body(status) || status == 304);
        if ((detail::same_name(each.name, "Content-Length") && !tells_length) ||
            detail::same_name(each.name, "Transfer-Encoding") || detail::same_name(each.name, "Connection"))
            continue;
        add_field(text, each.name, each.value);
    }
    if (how == framing::length)
        add_field(text, "Content-Length", std::to_string(length));
    else if (how == framing::chunked)
        add_field(text, "Transfer-Encoding", "chunked");
    else if (status == 205) // which unlike 204 is framed as any other
        add_field(text, "Content-Length", "0");
    if (!connection.empty())
        add_field(text, "Connection", connection);
    text += "\r\n";
    return text;
}

} // namespace sluice::http
