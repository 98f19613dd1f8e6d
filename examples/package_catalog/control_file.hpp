// Reads Debian's control format (deb822(5), Debian Policy 5.1) one record at a time, from a text that stays where it
// is.
//
// - Records are separated by empty lines; lines of nothing but blanks and tabs count as empty. Empty lines at the
// beginning,
//   at the end and in a row are no records.
// - A field is `Name: value`; lines that begin with a blank or a tab continue it. The name is printable ASCII without a
//   colon, and begins with neither '#' nor '-'. Case does not matter in names, nor does '-' against '_' (both make the
//   same key in JSON); the spelling is kept.
// - Lines that begin with '#' are comments, wherever they stand.
// - Lines end with LF or CRLF; the last one may end with the file.
//
// Whatever else is found is malformed: a line without a colon, a field without a name or with a byte in it that no name
// has, a continuation with nothing to continue, a field that a record has twice, a record without Package (or with an
// empty or folded one), more than 1,024 fields in a record. The bytes of values are not looked at.
#pragma once

#include "record.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace package_catalog {

// What is wrong with a control file, and where. what() is "<file>:<line>: <reason>".
class malformed_input : public std::runtime_error {
public:
    malformed_input(std::string_view file, std::size_t line, const std::string& reason);

    const std::string& file() const noexcept { return file_; }
    std::size_t line() const noexcept { return line_; } // the first line is 1
    const std::string& reason() const noexcept { return reason_; }

private:
    std::string file_;
    std::size_t line_;
    std::string reason_;
};

// Reads a text forward and holds nothing but its place in it; the text must outlive the reader and the records. Many
// readers may read the same text, in any threads.
class control_reader {
public:
    // No record has more fields than this: a record's list of fields is the only memory that reading takes.
    static constexpr std::size_t max_fields = 1024;

    // Begins at the byte `offset`, which must be the first of a line. `file` names the text in errors and must outlive
    // the reader; line numbers count from the beginning of the text, wherever reading begins.
    control_reader(std::string_view text, std::string_view file, std::size_t offset = 0) noexcept
        : text_(text), file_(file), position_(offset) {}

    // Fills `result` with the next record; false at the end. Throws malformed_input: a bad record ends the reading, for
    // `result` is then unspecified and the next read finds the same error.
    bool read(record& result);

    // Where the next read begins: after the last record's final line.
    std::size_t offset() const noexcept { return position_; }

private:
    [[noreturn]] void fail(const char* at, const std::string& reason) const;
    [[noreturn]] void fail_in_name(const char* name, const char* bad, const char* line_end) const;
    [[noreturn]] void fail_repeated(const record& result, std::string_view name) const;
    std::size_t line_of(const char* at) const noexcept;

    std::string_view text_;
    std::string_view file_;
    std::size_t position_;
};

} // namespace package_catalog
