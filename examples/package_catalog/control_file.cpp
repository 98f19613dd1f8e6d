#include "control_file.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace package_catalog {

namespace {

// Within a line.
bool is_blank_in_line(char byte) noexcept {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

const char* end_of_line(const char* at, const char* end) noexcept {
    const void* const found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
    return found ? static_cast<const char*>(found) : end;
}

const char* skip_blanks(const char* at, const char* end) noexcept {
    while (at != end && is_blank_in_line(*at))
        ++at;
    return at;
}

const char* without_blanks_at_end(const char* begin, const char* end) noexcept {
    while (end != begin && is_blank_in_line(end[-1]))
        --end;
    return end;
}

std::string_view view(const char* begin, const char* end) noexcept {
    return {begin, static_cast<std::size_t>(end - begin)};
}

std::string quoted(std::string_view name) {
    return "'" + std::string(name) + "'";
}

std::string shown_byte(char byte) {
    constexpr char digits[] = "0123456789ABCDEF";
    const auto number = static_cast<unsigned char>(byte);
    if (byte == ' ')
        return "a blank";
    if (number > ' ' && number < 0x7F)
        return quoted({&byte, 1});
    return std::string("the byte 0x") + digits[number / 16] + digits[number % 16];
}

} // namespace

malformed_input::malformed_input(std::string_view file, std::size_t line, const std::string& reason)
    : std::runtime_error(std::string(file) + ':' + std::to_string(line) + ": " + reason),
      file_(file),
      line_(line),
      reason_(reason) {}

bool control_reader::read(record& result) {
    auto& fields = result.fields_;
    fields.clear();
    result.package_ = {};

    const char* const end = text_.data() + text_.size();
    const char* at = text_.data() + position_;
    std::uint64_t known_seen = 0;
    bool unknown_seen = false;
    bool comment_waits = false; // a comment that is part of the last field if a continuation follows

    while (at != end) {
        const char* const line = at;
        const char* const line_end = end_of_line(line, end);
        at = line_end == end ? end : line_end + 1;

        if (is_blank_in_line(*line) || *line == '\n') {
            if (skip_blanks(line, line_end) == line_end) {
                if (fields.empty())
                    continue;
                break;
            }
            if (*line != '\r') {
                if (fields.empty())
                    fail(line, "a continuation line, but no field to continue");
                // The field's own line is before this one, so there are two bytes to look back at.
                field& last = fields.back();
                last.value = view(last.value.data(), without_blanks_at_end(line, line_end));
                last.is_folded = true;
                last.is_noisy |= comment_waits || line[-2] == '\r';
                continue;
            }
        }
        if (*line == '#') {
            comment_waits = true;
            continue;
        }

        const char* colon = line;
        while (colon != line_end && key_bytes[static_cast<unsigned char>(*colon)] != 0)
            ++colon;
        if (colon == line_end || *colon != ':' || colon == line || *line == '-')
            fail_in_name(line, colon, line_end);
        const std::string_view name = view(line, colon);
        if (fields.size() == max_fields)
            fail(line, "more than " + std::to_string(max_fields) + " fields in one record");

        const known_field* const known = find_known_field(name);
        if (known) {
            const std::uint64_t bit = std::uint64_t{1} << known->index;
            if (known_seen & bit)
                fail_repeated(result, name);
            known_seen |= bit;
        } else {
            const auto is_same = [&](const field& item) { return same_key(item.name, name); };
            if (unknown_seen && std::any_of(fields.begin(), fields.end(), is_same))
                fail_repeated(result, name);
            unknown_seen = true;
        }

        // A carriage return is not skipped: alone on the line, it ends it.
        const char* value = colon + 1;
        while (value != line_end && (*value == ' ' || *value == '\t'))
            ++value;
        field& item = fields.emplace_back();
        item.name = name;
        item.value = view(value, without_blanks_at_end(value, line_end));
        item.kind = known ? known->kind : kind_of(name);
        if (known)
            item.known_key = known->key;
        comment_waits = false;
    }

    if (fields.empty()) {
        position_ = text_.size();
        return false;
    }
    const field* const package = result.find("package");
    if (!package)
        fail(fields.front().name.data(), "a record without a Package field");
    if (package->value.empty() || package->is_folded)
        fail(package->name.data(), "a Package field that is not one name");
    result.package_ = package->value;
    result.offset_ = static_cast<std::size_t>(fields.front().name.data() - text_.data());
    position_ = static_cast<std::size_t>(at - text_.data());
    return true;
}

std::size_t control_reader::line_of(const char* at) const noexcept {
    return static_cast<std::size_t>(std::count(text_.data(), at, '\n')) + 1;
}

void control_reader::fail(const char* at, const std::string& reason) const {
    throw malformed_input(file_, line_of(at), reason);
}

void control_reader::fail_in_name(const char* name, const char* bad, const char* line_end) const {
    if (std::find(name, line_end, ':') == line_end)
        fail(name, "neither 'Field: value' nor a continuation line: there is no colon");
    if (*name == ':')
        fail(name, "a field without a name");
    if (*name == '-')
        fail(name, "a field name that begins with '-'");
    fail(name, "a field name with " + shown_byte(*bad) + " in it");
}

void control_reader::fail_repeated(const record& result, std::string_view name) const {
    for (const field& item : result.fields()) {
        if (!same_key(item.name, name))
            continue;
        const std::string line = std::to_string(line_of(item.name.data()));
        if (item.name == name)
            fail(name.data(), "the field " + quoted(name) + " again: the record has it in line " + line);
        fail(name.data(), "the field " + quoted(name) + " has the key of " + quoted(item.name) + " in line " + line);
    }
    fail(name.data(), "the field " + quoted(name) + " again");
}

} // namespace package_catalog
