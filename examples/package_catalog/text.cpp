#include "text.hpp"

namespace package_catalog {

bool line_parser::operator()(std::string_view& rest, std::string_view& line) noexcept {
    const bool is_first = !started_;
    if (!is_first && rest.empty())
        return false;
    started_ = true;
    for (;;) {
        // After the first line, `rest` begins with the line feed that ended the line before.
        if (!rest.empty() && rest.front() == '\n' && !is_first)
            rest.remove_prefix(1);
        std::size_t end = rest.find('\n');
        if (end == std::string_view::npos)
            end = rest.size();
        line = rest.substr(0, end);
        rest.remove_prefix(end);
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        if (is_first)
            return true;
        if (line.empty() || line.front() != '#')
            break;
        // A raw value ends with a continuation line, so a comment is never the last.
        if (rest.empty())
            return false;
    }
    if (!line.empty())
        line.remove_prefix(1);
    if (line == ".")
        line = {};
    return true;
}

bool piece_parser::operator()(std::string_view& rest, std::string_view& piece) noexcept {
    if (line_waits_) {
        line_waits_ = false;
        piece = line_;
        return true;
    }
    if (!lines_(rest, line_))
        return false;
    line_waits_ = started_;
    piece = started_ ? std::string_view("\n") : line_;
    started_ = true;
    return true;
}

std::string_view text_of(const field& item, std::string& buffer) {
    if (!item.is_folded)
        return item.value;
    buffer.clear();
    for (const std::string_view piece : text_pieces(item.value))
        buffer += piece;
    return buffer;
}

std::string_view list_of(const field& item, std::string& buffer) {
    if (!item.is_noisy)
        return item.value;
    buffer.clear();
    for (std::string_view rest = item.value; !rest.empty();) {
        const std::size_t line_feed = rest.find('\n');
        const bool is_last = line_feed == std::string_view::npos;
        std::string_view line = rest.substr(0, line_feed);
        // The first line begins after the colon: a '#' there is part of the value.
        const bool is_comment = line.starts_with('#') && line.data() != item.value.data();
        if (!is_last && line.ends_with('\r'))
            line.remove_suffix(1);
        if (!is_comment)
            buffer.append(line).append(is_last ? "" : "\n");
        rest.remove_prefix(is_last ? rest.size() : line_feed + 1);
    }
    return buffer;
}

} // namespace package_catalog
