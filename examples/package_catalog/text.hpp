// What a raw value says: continuation lines, the " ." that stands for an empty line, and comment lines (deb822(5),
// Debian Policy 5.1 and 5.6.13).
//
// The text of a value is its lines joined by '\n', where each line after the first is without the one blank or tab that
// makes it a continuation, and a continuation that is then just "." is an empty line. Comment lines are no part of it.
// A line ends with LF or CRLF. Blanks around the whole are no part of the value; blanks within it are kept. Nothing
// else changes, so the text can be folded back into the same lines.
#pragma once

#include "field.hpp"
#include "parsed_range.hpp"

#include <string>
#include <string_view>

namespace package_catalog {

// Finds the lines of a text, first to last; the rules are at the top. For parsed_range.
class line_parser {
public:
    using value_type = std::string_view;
    bool operator()(std::string_view& rest, std::string_view& line) noexcept;

private:
    bool started_ = false;
};

// The lines of a raw value, for `for (std::string_view line : text_lines(value))`. A value has at least one line.
using text_lines = parsed_range<line_parser>;

// The pieces whose concatenation is the text: its lines with "\n" between them. Allocates nothing.
class piece_parser {
public:
    using value_type = std::string_view;
    bool operator()(std::string_view& rest, std::string_view& piece) noexcept;

private:
    line_parser lines_;
    std::string_view line_;
    bool started_ = false;
    bool line_waits_ = false; // its "\n" is out, the line itself is next
};

using text_pieces = parsed_range<piece_parser>;

// The whole text: the value itself when it is one line, which nearly all are, else `buffer`, which is overwritten.
std::string_view text_of(const field& item, std::string& buffer);

// The raw value on which the readers of values.hpp and dependencies.hpp work, who take line breaks for blanks: the
// value itself unless comment lines or carriage returns stand between its lines, else a copy without these in `buffer`,
// which is overwritten.
std::string_view list_of(const field& item, std::string& buffer);

} // namespace package_catalog
