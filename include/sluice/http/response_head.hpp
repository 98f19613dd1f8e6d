// response_head: the status and the fields of a response, until they are sent.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sluice::http {

/// What is sent before the document. The library adds what frames the body (Content-Length or Transfer-Encoding),
/// Connection, and, where there is a body and no other is set, `Content-Type: application/json`; it adds neither Date
/// nor Server.
///
/// A template may change it until it has been sent; a change after that throws std::logic_error. Names and values are
/// checked (RFC 9110, sections 5.1 and 5.5): one that is not a token, or holds a control character, throws
/// std::invalid_argument, so that no value can add a field of its own.
class response_head {
public:
    struct field {
        std::string name;
        std::string value;
    };

    /// 200 and no fields.
    response_head() = default;
    /// `status`: 100 to 999, else std::invalid_argument.
    response_head(unsigned status) { this->status(status); }
    /// As boost::beast::http::status has it.
    template <class Status>
        requires std::is_enum_v<Status>
    response_head(Status status) : response_head(static_cast<unsigned>(status)) {}
    /// Status and fields of a boost::beast::http::response, or of its header.
    template <class Header>
        requires requires(const Header& header) {
            header.result_int();
            header.begin()->name_string();
        }
    response_head(const Header& header) : response_head(header.result_int()) {
        for (const auto& each : header)
            add(std::string_view(each.name_string().data(), each.name_string().size()),
                std::string_view(each.value().data(), each.value().size()));
    }

    unsigned status() const noexcept { return status_; }
    response_head& status(unsigned code);
    template <class Status>
        requires std::is_enum_v<Status>
    response_head& status(Status code) {
        return status(static_cast<unsigned>(code));
    }

    /// Replaces all fields of that name by one.
    response_head& set(std::string_view name, std::string_view value);
    /// Adds a field beside those of the same name, as Set-Cookie needs it.
    response_head& add(std::string_view name, std::string_view value);
    /// Removes all fields of that name.
    response_head& erase(std::string_view name);

    /// The first field of that name, whatever the case of its letters; null when there is none.
    const std::string* find(std::string_view name) const noexcept;
    /// In the order in which they were added.
    const std::vector<field>& fields() const noexcept { return fields_; }

    /// True from when it has been handed to the stream.
    bool sent() const noexcept { return sent_; }

private:
    friend class response_sink;
    void check_unsent() const;

    unsigned status_ = 200;
    bool sent_ = false;
    std::vector<field> fields_;
};

namespace detail {

/// Whether two field names, or two tokens, are the same: ASCII case does not matter.
bool same_name(std::string_view left, std::string_view right) noexcept;

/// Whether a response of that status may have a body (RFC 9110, section 6.4.1, and 15.3.6 for 205).
constexpr bool allows_body(unsigned status) noexcept {
    return status >= 200 && status != 204 && status != 205 && status != 304;
}

} // namespace detail

} // namespace sluice::http
