// One field of a record: its name as written, its raw value, how the value is to be read, and its key in JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace package_catalog {

// How a field's value is read. Everything that is not known is text.
enum class field_kind : std::uint8_t {
    text,         // a string; see text.hpp
    maintainer,   // Maintainer, Original-Maintainer: see person in values.hpp
    dependencies, // Depends and its kin, and every name that ends in Built-Using: see dependencies.hpp
    tags,         // Tag: see tag_list in values.hpp
    size,         // Size, Installed-Size: an unsigned number if it is one, else text; see parse_size in values.hpp
};

// The views look into the mapped file, except `known_key`, which is static. The value is raw: what stands between the
// colon and the end of the last continuation line, line breaks, continuation blanks and comment lines included, without
// the blanks around the whole. text.hpp gives it as it is meant.
struct field {
    std::string_view name;      // as spelled in the file
    std::string_view value;     // raw
    std::string_view known_key; // the JSON key when the name is a known one, else empty: see json_key
    field_kind kind = field_kind::text;
    bool is_folded = false; // the value spans several lines
    bool is_noisy = false;  // folded, with comment lines or carriage returns between its lines
};

// What the reader knows of a field name beforehand.
struct known_field {
    std::string_view key;
    field_kind kind = field_kind::text;
    std::uint8_t index = 0; // 0 to 63, one for each known field
};

// The known field of that name, compared as json_key does; null for any other name.
const known_field* find_known_field(std::string_view name) noexcept;

// The kind of a field of that name, known or not.
field_kind kind_of(std::string_view name) noexcept;

// The JSON key of a field: its name with ASCII letters in lower case and '-' as '_' (Installed-Size: installed_size).
// The result looks into static memory when the name is known, else into `buffer`, which is overwritten.
std::string_view json_key(const field& item, std::string& buffer);

// Whether two field names have the same JSON key (which is so when they differ in case only).
bool same_key(std::string_view left, std::string_view right) noexcept;

// `byte` as it stands in a JSON key, or 0 when it cannot stand in a field name (deb822: printable ASCII without the
// colon).
char key_byte(char byte) noexcept;

// For loops over names: key_byte as a table, indexed by the byte as an unsigned number.
extern const char* const key_bytes;

} // namespace package_catalog
