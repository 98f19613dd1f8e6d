#include "values.hpp"

#include <algorithm>
#include <charconv>

namespace package_catalog {

namespace {

// The end of the quoted text that begins `text`: one past its closing quote, or npos.
std::size_t end_of_quoted(std::string_view text) noexcept {
    for (std::size_t at = 1; at < text.size(); ++at) {
        if (text[at] == '"')
            return at + 1;
        if (text[at] == '\\')
            ++at;
    }
    return std::string_view::npos;
}

// Braces with nothing in them are no short form: the tag would be lost.
bool has_tags(std::string_view braced) noexcept {
    return braced.find_first_not_of(" \t\r\n,") != std::string_view::npos;
}

} // namespace

std::string_view trimmed(std::string_view text) noexcept {
    text.remove_prefix(skip_blanks(text));
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    return text;
}

person parse_person(std::string_view value) noexcept {
    person result;
    value = trimmed(value);
    result.name = value;

    // A bracket between quotes at the beginning is part of the name.
    const std::size_t quoted_end = value.starts_with('"') ? end_of_quoted(value) : std::string_view::npos;
    const std::size_t open = value.find('<', quoted_end == std::string_view::npos ? 0 : quoted_end);
    const std::size_t close = open == std::string_view::npos ? open : value.find('>', open);
    if (close != std::string_view::npos) {
        result.name = trimmed(value.substr(0, open));
        result.email = trimmed(value.substr(open + 1, close - open - 1));
        result.rest = trimmed(value.substr(close + 1));
    } else if (value.find('@') != std::string_view::npos && skip_word(value) == value.size()) {
        result.email = value;
        result.name = {};
        return result;
    }
    if (quoted_end == result.name.size()) {
        result.name = result.name.substr(1, result.name.size() - 2);
        result.has_backslashes = result.name.find('\\') != std::string_view::npos;
    }
    return result;
}

std::string_view name_of(const person& someone, std::string& buffer) {
    if (!someone.has_backslashes)
        return someone.name;
    buffer.clear();
    for (std::size_t at = 0; at < someone.name.size(); ++at) {
        if (someone.name[at] == '\\' && at + 1 < someone.name.size())
            ++at;
        buffer += someone.name[at];
    }
    return buffer;
}

bool tag_parser::operator()(std::string_view& rest, tag& item) noexcept {
    for (;;) {
        std::string_view& source = braced_.empty() ? rest : braced_;
        if (source.empty())
            return false;
        const bool is_braced = !braced_.empty();
        const std::size_t end = std::min(source.find(','), source.size());
        if (!is_braced) {
            prefix_ = {};
            const std::size_t open = source.substr(0, end).find('{');
            const std::size_t close = open == std::string_view::npos ? open : source.find('}', open);
            if (close != std::string_view::npos && has_tags(source.substr(open + 1, close - open - 1))) {
                prefix_ = source.substr(0, open);
                prefix_.remove_prefix(skip_blanks(prefix_));
                braced_ = source.substr(open + 1, close - open - 1);
                source.remove_prefix(close + 1);
                continue;
            }
        }
        const std::string_view name = trimmed(source.substr(0, end));
        source.remove_prefix(std::min(end + 1, source.size()));
        if (name.empty())
            continue;
        item = {is_braced ? prefix_ : std::string_view{}, name};
        return true;
    }
}

std::string_view tag_of(const tag& item, std::string& buffer) {
    if (item.prefix.empty())
        return item.name;
    buffer = item.prefix;
    buffer += item.name;
    return buffer;
}

std::optional<std::uint64_t> parse_size(std::string_view value) noexcept {
    if (value.empty() || (value.size() > 1 && value.front() == '0'))
        return std::nullopt;
    std::uint64_t number = 0;
    // from_chars takes no sign, blank or prefix for an unsigned type, and reports what does not fit.
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || end != value.data() + value.size())
        return std::nullopt;
    return number;
}

} // namespace package_catalog
