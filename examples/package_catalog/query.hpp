// What a request asks for: its target parsed into one of the three endpoints, or a problem that says what is wrong with
// it.
#pragma once

#include "record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace package_catalog {

// GET /: the list of endpoints.
struct root_request {};

// GET /packages, with its parameters. An empty `section`, `q` or `after` is as good as none.
struct list_request {
    std::string section; // records of just this section
    std::string q;       // records that have this in their name or description; ASCII case does not matter
    std::string after;   // records that follow the one of this name, in the order of the file
    std::optional<std::uint64_t> limit; // at most so many records; 0 gives none
    bool buffered = false;              // the whole document is rendered before any of it is sent
};

// GET /packages/{name}
struct package_request {
    std::string name;
};

// Why a request gets no document, as application/problem+json (RFC 9457) has it.
struct problem {
    unsigned status = 400;
    std::string title;  // the same for every problem of a kind
    std::string detail; // what is wrong with this request, and what would be right
};

using request_target = std::variant<problem, root_request, list_request, package_request>;

// Parses the target of a request in origin form (/path?query) or absolute form (http://host/path?query), RFC 9112, 3.2.
//
// Escapes are decoded (%2B), each once; a '+' is a '+' (RFC 3986), for it is part of names like libstdc++6. Problems:
// 400 for a bad escape, an unknown or repeated parameter (the detail names the known ones), a `limit` that is no
// unsigned number, a `buffered` other than 0 or 1, a target of another form; 404 for another path. Empty parameters
// (`?a&&b`) are skipped.
request_target parse_target(std::string_view target);

// Decodes %XX; nothing when an escape is cut short or not hexadecimal.
std::optional<std::string> percent_decoded(std::string_view text);

// The 404 for a package that is not in the catalogue, and the 400 for an `after` that is not.
problem no_such_package(std::string_view name);
problem no_such_place(std::string_view name);

// Whether a record is one that `request` asks for by `section` and `q`. Allocates nothing.
bool matches(const record& candidate, const list_request& request) noexcept;

} // namespace package_catalog
