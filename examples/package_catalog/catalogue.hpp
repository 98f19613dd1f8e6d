// The catalogue that a server serves: a mapped control file, checked once from end to end, and a small index of its
// names.
#pragma once

#include "control_file.hpp"
#include "mapped_file.hpp"
#include "record.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace package_catalog {

// Immutable once made: any number of threads may use it at once. It must outlive its readers and records.
//
// The index takes eight bytes for each record (half a MiB for all of Debian), whatever the records' size: the top 24
// bits of a name's hash, and 40 bits of offset; the name itself is read from the file to tell equal hashes apart.
class catalogue {
public:
    // The largest file: what the offsets of the index reach, 1 TiB.
    static constexpr std::uint64_t max_bytes = std::uint64_t{1} << 40;

    // Reads the whole file once. Throws malformed_input at its first error, and file_error when it holds no record or
    // is larger than max_bytes: what starts with a catalogue never meets a malformed one later.
    explicit catalogue(mapped_file file);

    // A reader of all records, in the order of the file.
    control_reader all() const noexcept;

    // A reader of the records after the one of that name (the last one, where several have it); nothing when there is
    // none.
    std::optional<control_reader> after(std::string_view name) const;

    // Fills `result` with the record of that name (the first one, where several have it); false when there is none.
    // Names are compared byte for byte.
    bool find(std::string_view name, record& result) const;

    std::size_t size() const noexcept { return index_.size(); } // records
    std::size_t bytes() const noexcept { return file_.text().size(); }
    std::size_t index_bytes() const noexcept { return index_.capacity() * sizeof(index_.front()); }
    const mapped_file& file() const noexcept { return file_; }

private:
    mapped_file file_;
    std::vector<std::uint64_t> index_; // sorted: so by hash, then in the order of the file
};

} // namespace package_catalog
