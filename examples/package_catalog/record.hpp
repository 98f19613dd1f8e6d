// One record (stanza) of a control file, as views into it. The readers of its values are in text.hpp, values.hpp and
// dependencies.hpp, which this header includes.
#pragma once

#include "dependencies.hpp"
#include "field.hpp"
#include "text.hpp"
#include "values.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace package_catalog {

// Filled by control_reader::read, again and again: the list of fields keeps its capacity, so that reading a whole file
// allocates as often as the record with the most fields grows it. The views are valid while the file is mapped; the
// fields, until the record is filled again. Every record that was read has a Package field with a value.
class record {
public:
    // In the order of the file.
    std::span<const field> fields() const noexcept { return fields_; }

    // The field of that name, whatever the case of its letters; null when there is none.
    const field* find(std::string_view name) const noexcept;

    // Raw values of the three fields that requests ask for; empty when the record has no such field.
    std::string_view package() const noexcept { return package_; }
    std::string_view section() const noexcept;
    std::string_view description() const noexcept;

    // Where the record begins in the text: the first byte of its first field.
    std::size_t offset() const noexcept { return offset_; }

private:
    friend class control_reader;

    std::vector<field> fields_;
    std::string_view package_;
    std::size_t offset_ = 0;
};

} // namespace package_catalog
