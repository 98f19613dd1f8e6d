// Readers of the small structured values: people, tags, sizes. They take what list_of in
// text.hpp gives, count line breaks as blanks, and never fail: what does not have the expected form is kept as it is.
#pragma once

#include "parsed_range.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace package_catalog {

// What separates the parts of a value: blanks, tabs and line breaks.
constexpr bool is_blank(char byte) noexcept {
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

// The first place in `text`, from `at` on, that holds no blank (or, the second, that holds one); else its size. Loops,
// as the runs are short: the searches of string_view are several times slower on them.
constexpr std::size_t skip_blanks(std::string_view text, std::size_t at = 0) noexcept {
    while (at < text.size() && is_blank(text[at]))
        ++at;
    return at;
}
constexpr std::size_t skip_word(std::string_view text, std::size_t at = 0) noexcept {
    while (at < text.size() && !is_blank(text[at]))
        ++at;
    return at;
}

// `text` without the blanks around it.
std::string_view trimmed(std::string_view text) noexcept;

// Who maintains a package (Debian Policy 5.6.2): a name, and an address in angle brackets.
//
// - `Jo Doe <jo@example.org>`            name `Jo Doe`, email `jo@example.org`
// - `"Doe, Jo (x)" <jo@example.org>`     name `Doe, Jo (x)`: quotes around all of it are taken off, and backslashes in
// them
// - `Jo "J" Doe <jo@example.org>`        name `Jo "J" Doe`: other quotes stay
// - `jo@example.org`                     name empty, email the whole: one word with an '@'
// - `Jo Doe`, `Jo Doe <jo@example.org`   name the whole, no email
// - `Jo Doe <jo@example.org>, Al <al@x>` as the first, and rest `, Al <al@x>`: whatever stands after the closing
// bracket
struct person {
    std::string_view name;
    std::optional<std::string_view> email;
    std::string_view rest;        // empty for nearly everybody
    bool has_backslashes = false; // the name was quoted and has escapes in it: see name_of
};

person parse_person(std::string_view value) noexcept;

// The name without the backslashes of its escapes: a view into the value when it has none, else `buffer`, overwritten.
std::string_view name_of(const person& someone, std::string& buffer);

// One tag of a Tag field: `role::program`, or one name of the short form `implemented-in::{c,c++}`, which means
// `implemented-in::c, implemented-in::c++`.
struct tag {
    std::string_view prefix; // `implemented-in::` in the short form, else empty
    std::string_view name;
};

// Finds tags: they stand between commas, empty ones are skipped. A brace that is not closed is an ordinary byte.
class tag_parser {
public:
    using value_type = tag;
    bool operator()(std::string_view& rest, tag& item) noexcept;

private:
    std::string_view prefix_;
    std::string_view braced_; // what is left in the braces
};

// The tags of a value, for `for (const tag& item : tag_list(value))`.
using tag_list = parsed_range<tag_parser>;

// The whole tag: a view into the value, or, in the short form, `buffer`, overwritten.
std::string_view tag_of(const tag& item, std::string& buffer);

// The number, if the value is nothing but decimal digits without superfluous zeros and fits in 64 bits; else nothing:
// the value is then shown as the string that it is, so that none of it is lost.
std::optional<std::uint64_t> parse_size(std::string_view value) noexcept;

} // namespace package_catalog
