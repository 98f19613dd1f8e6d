// Reader of dependency fields (Debian Policy 7.1; deb-src-control(5) for architectures and profiles):
//     libc6 (>= 2.34), default-mta | mail-transport-agent, python3:any [linux-any !amd64] <!nocheck>
// Groups stand between commas, alternatives between bars. It takes what list_of in text.hpp gives
// and counts line breaks as blanks. Nothing is stored and nothing fails: an alternative that has not this
// form is marked as such and shown whole, so that none of it is lost.
#pragma once

#include "parsed_range.hpp"

#include <string_view>

namespace package_catalog {

// Finds words between blanks.
class word_parser {
public:
    using value_type = std::string_view;
    bool operator()(std::string_view& rest, std::string_view& word) noexcept;
};

using word_list = parsed_range<word_parser>;

// Finds the lists of a build profile formula, `<!nocheck !cross> <stage1>`: what stands between each pair of brackets.
class profile_parser {
public:
    using value_type = word_list;
    bool operator()(std::string_view& rest, word_list& profiles) noexcept;
};

using profile_formula = parsed_range<profile_parser>;

// One alternative. All of it that is not there is empty.
struct dependency {
    std::string_view text; // the whole of it, without the blanks around
    bool is_valid = false; // false: only `text` has a value
    std::string_view name;
    std::string_view architecture; // the qualifier after the colon: any, native, or a name
    std::string_view relation;     // <<, <=, =, >=, >>, or the obsolete < and >; empty without a version
    std::string_view version;
    word_list architectures;  // from the square brackets, with their '!'
    profile_formula profiles; // from the angle brackets, each list with its '!'
};

// Reads one alternative.
dependency parse_dependency(std::string_view text) noexcept;

// Finds alternatives. An empty one (`a | | b`) is an invalid dependency with an empty text.
class alternative_parser {
public:
    using value_type = dependency;
    bool operator()(std::string_view& rest, dependency& item) noexcept;

private:
    bool is_last_ = false;
};

// The alternatives of one group: `for (const dependency& alternative : group)`. It has at least one.
using dependency_group = parsed_range<alternative_parser>;

// Finds groups. An empty one (`a, , b`, or a comma at the end) says nothing and is skipped.
class group_parser {
public:
    using value_type = dependency_group;
    bool operator()(std::string_view& rest, dependency_group& group) noexcept;
};

// All of a value: `for (const dependency_group& group : dependency_groups(value))`.
using dependency_groups = parsed_range<group_parser>;

} // namespace package_catalog
