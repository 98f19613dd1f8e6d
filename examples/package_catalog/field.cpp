#include "field.hpp"

#include <algorithm>
#include <array>

namespace package_catalog {

namespace {

using enum field_kind;

constexpr std::array<char, 256> key_byte_table = [] {
    std::array<char, 256> table{};
    for (std::size_t byte = 0x21; byte < 0x7F; ++byte) {
        if (byte == ':')
            continue;
        table[byte] = static_cast<char>(byte);
        if (byte >= 'A' && byte <= 'Z')
            table[byte] = static_cast<char>(byte - 'A' + 'a');
        if (byte == '-')
            table[byte] = '_';
    }
    return table;
}();

constexpr char to_key_byte(char byte) noexcept {
    return key_byte_table[static_cast<unsigned char>(byte)];
}

struct named_kind {
    std::string_view key;
    field_kind kind;
};

// Everything that `apt-cache dumpavail` prints for most packages, so that a key is rarely built at run time. At
// most 64.
constexpr named_kind known_names[] = {
    {"package", text},
    {"version", text},
    {"architecture", text},
    {"maintainer", maintainer},
    {"description", text},
    {"section", text},
    {"priority", text},
    {"description_md5", text},
    {"filename", text},
    {"size", size},
    {"sha256", text},
    {"sha1", text},
    {"md5sum", text},
    {"installed_size", size},
    {"homepage", text},
    {"depends", dependencies},
    {"source", text},
    {"tag", tags},
    {"multi_arch", text},
    {"suggests", dependencies},
    {"recommends", dependencies},
    {"provides", dependencies},
    {"replaces", dependencies},
    {"breaks", dependencies},
    {"conflicts", dependencies},
    {"enhances", dependencies},
    {"pre_depends", dependencies},
    {"built_using", dependencies},
    {"static_built_using", dependencies},
    {"x_cargo_built_using", dependencies},
    {"javascript_built_using", dependencies},
    {"original_maintainer", maintainer},
    {"essential", text},
    {"protected", text},
    {"important", text},
    {"build_essential", text},
    {"build_ids", text},
    {"origin", text},
    {"bugs", text},
    {"task", text},
    {"status", text},
    {"conffiles", text},
    {"ghc_package", text},
    {"ruby_versions", text},
    {"lua_versions", text},
    {"python_version", text},
    {"python_egg_name", text},
    {"go_import_path", text},
    {"postgresql_catversion", text},
    {"cnf_visible_pkgname", text},
    {"cnf_extra_commands", text},
    {"cnf_ignore_commands", text},
    {"efi_vendor", text},
    {"gstreamer_version", text},
    {"gstreamer_elements", text},
    {"gstreamer_decoders", text},
    {"gstreamer_encoders", text},
    {"gstreamer_uri_sources", text},
    {"gstreamer_uri_sinks", text},
};
static_assert(std::size(known_names) <= 64, "the reader keeps one bit of a word for each known field");

// Three bytes and the length tell the known names well enough apart; the comparison decides.
constexpr std::size_t slot_count = 512;
constexpr std::size_t slot_of(std::string_view name) noexcept {
    const auto byte = [&](std::size_t at) { return std::size_t{static_cast<unsigned char>(to_key_byte(name[at]))}; };
    return (name.size() * 131 + byte(0) * 29 + byte(name.size() / 2) * 7 + byte(name.size() - 1) * 241) % slot_count;
}

struct known_table {
    std::array<known_field, std::size(known_names)> fields{};
    std::array<std::uint8_t, slot_count> first{}; // 1 + index of a field, 0 for none; open addressing
};

constexpr known_table table = [] {
    known_table result;
    for (std::size_t at = 0; at < std::size(known_names); ++at) {
        result.fields[at] = {known_names[at].key, known_names[at].kind, static_cast<std::uint8_t>(at)};
        std::size_t slot = slot_of(known_names[at].key);
        while (result.first[slot] != 0)
            slot = (slot + 1) % slot_count;
        result.first[slot] = static_cast<std::uint8_t>(at + 1);
    }
    return result;
}();

bool has_key(std::string_view name, std::string_view key) noexcept {
    if (name.size() != key.size())
        return false;
    for (std::size_t at = 0; at < name.size(); ++at)
        if (to_key_byte(name[at]) != key[at])
            return false;
    return true;
}

} // namespace

const char* const key_bytes = key_byte_table.data();

const known_field* find_known_field(std::string_view name) noexcept {
    if (name.empty())
        return nullptr;
    for (std::size_t slot = slot_of(name); table.first[slot] != 0; slot = (slot + 1) % slot_count) {
        const known_field& candidate = table.fields[table.first[slot] - 1U];
        if (has_key(name, candidate.key))
            return &candidate;
    }
    return nullptr;
}

field_kind kind_of(std::string_view name) noexcept {
    if (const known_field* known = find_known_field(name))
        return known->kind;
    constexpr std::string_view suffix = "_built_using";
    if (name.size() > suffix.size() && has_key(name.substr(name.size() - suffix.size()), suffix))
        return dependencies;
    return text;
}

std::string_view json_key(const field& item, std::string& buffer) {
    if (!item.known_key.empty())
        return item.known_key;
    buffer.resize(item.name.size());
    std::transform(item.name.begin(), item.name.end(), buffer.begin(), to_key_byte);
    return buffer;
}

bool same_key(std::string_view left, std::string_view right) noexcept {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](char one, char other) { return to_key_byte(one) == to_key_byte(other); });
}

char key_byte(char byte) noexcept {
    return to_key_byte(byte);
}

} // namespace package_catalog
