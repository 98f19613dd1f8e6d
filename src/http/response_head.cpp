#include <sluice/http/response_head.hpp>

#include <algorithm>
#include <stdexcept>

namespace sluice::http {

namespace {

constexpr bool is_letter_or_digit(char byte) noexcept {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
}

// RFC 9110, section 5.6.2.
bool is_token(std::string_view name) noexcept {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char byte) {
        return is_letter_or_digit(byte) || std::string_view("!#$%&'*+-.^_`|~").find(byte) != std::string_view::npos;
    });
}

// RFC 9110, section 5.5: no control characters but the tab; bytes above 127 are opaque.
bool is_value(std::string_view value) noexcept {
    return std::none_of(value.begin(), value.end(), [](char byte) {
        const auto code = static_cast<unsigned char>(byte);
        return (code < 0x20 && code != '\t') || code == 0x7f;
    });
}

std::string_view trimmed(std::string_view text) noexcept {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

constexpr char lower(char byte) noexcept {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

} // namespace

namespace detail {

bool same_name(std::string_view left, std::string_view right) noexcept {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](char a, char b) { return lower(a) == lower(b); });
}

} // namespace detail

void response_head::check_unsent() const {
    if (sent_)
        throw std::logic_error("sluice: the head of a response is changed after it has been sent");
}

response_head& response_head::status(unsigned code) {
    check_unsent();
    if (code < 100 || code > 999)
        throw std::invalid_argument("sluice: the status of a response is " + std::to_string(code));
    status_ = code;
    return *this;
}

response_head& response_head::set(std::string_view name, std::string_view value) {
    field added;
    added.name = name; // before anything goes: it may be a view of a field that is erased
    added.value = value;
    erase(added.name);
    return add(added.name, added.value);
}

response_head& response_head::add(std::string_view name, std::string_view value) {
    check_unsent();
    if (!is_token(name))
        throw std::invalid_argument("sluice: a field's name is not a token");
    if (!is_value(value))
        throw std::invalid_argument("sluice: the value of field " + std::string(name) + " holds a control character");
    field added;
    added.name = name;
    added.value = trimmed(value);
    fields_.push_back(std::move(added));
    return *this;
}

response_head& response_head::erase(std::string_view name) {
    check_unsent();
    const std::string held(name); // perhaps a view of what goes
    std::erase_if(fields_, [&](const field& each) { return detail::same_name(each.name, held); });
    return *this;
}

const std::string* response_head::find(std::string_view name) const noexcept {
    for (const field& each : fields_)
        if (detail::same_name(each.name, name))
            return &each.value;
    return nullptr;
}

} // namespace sluice::http
