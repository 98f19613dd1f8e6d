// Whether ready bytes are JSON (RFC 8259): a value, or the pairs of an object or the elements of an array without their
// brackets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sluice::encode {

enum class json_part : unsigned char {
    value,    // one value
    pairs,    // `"a":1,"b":2`; none: empty
    elements, // `1,{"a":2}`; none: empty
};

/// Where and why bytes are not JSON.
struct json_problem {
    const char* what; // null: they are
    std::size_t at;   // the offset of the first byte that is wrong; the size, where more is missing
};

/// Told of the keys of the pairs themselves, not of those of values in them: as they stand, without quotes.
struct key_listener {
    void (*found)(void* object, std::string_view escaped);
    void* object;
};

/// Reads every byte once and keeps one bit for each open container. More than `depth_limit` of them are a problem.
/// Escapes of lone surrogates are let through, as the grammar has it; ill-formed UTF-8 is not. Throws std::bad_alloc.
json_problem check_json(std::string_view text, json_part part, std::size_t depth_limit,
                        const key_listener* keys = nullptr);

/// The characters of the inside of a JSON string that check_json lets through. Escapes of lone surrogates stay as they
/// are. Throws std::bad_alloc.
std::string unescape(std::string_view escaped);

} // namespace sluice::encode
