// A file mapped into memory for reading. Its pages belong to the page cache: they are not anonymous memory, so a server
// that maps a catalogue of any size holds none of it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace package_catalog {

// A file that cannot be read at all. what() is "<file>: <reason>".
class file_error : public std::runtime_error {
public:
    file_error(const std::string& file, const std::string& reason) : std::runtime_error(file + ": " + reason) {}
};

// Owns one mapping; move-only. The text stays at its address for as long as the mapping lives, also when the object is
// moved. A file must not be cut short in place while it is mapped (the kernel answers a read past the new end with
// SIGBUS): replace it by renaming a new file over it, which leaves the mapped one untouched.
class mapped_file {
public:
    mapped_file() = default;

    // Maps the regular file at `path`. Throws file_error when it is missing, unreadable, a directory, anything else
    // that is not a regular file, or empty.
    explicit mapped_file(const std::string& path);

    // Maps what the open file `descriptor` holds; `name` stands for it in messages. The descriptor stays the caller's
    // and may be closed at once. Throws as above.
    mapped_file(int descriptor, std::string name);

    mapped_file(mapped_file&& other) noexcept;
    mapped_file& operator=(mapped_file&& other) noexcept;
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;
    ~mapped_file();

    // The bytes of the file; empty for an object that holds no mapping.
    std::string_view text() const noexcept { return text_; }

    // The path, or the name it was given.
    const std::string& name() const noexcept { return name_; }

private:
    void map(int descriptor);

    std::string_view text_;
    std::string name_;
};

} // namespace package_catalog
