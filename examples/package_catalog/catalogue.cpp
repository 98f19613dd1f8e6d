#include "catalogue.hpp"

#include <algorithm>
#include <utility>

namespace package_catalog {

namespace {

constexpr std::uint64_t offset_mask = catalogue::max_bytes - 1;

// FNV-1a, 64 bits; the top 24 are kept. Names come from the operator's own file: nobody is there to make them collide.
std::uint64_t hash_bits(std::string_view name) noexcept {
    std::uint64_t hash = 14695981039346656037U;
    for (const char byte : name)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
    return hash & ~offset_mask;
}

} // namespace

catalogue::catalogue(mapped_file file) : file_(std::move(file)) {
    if (bytes() > max_bytes)
        throw file_error(file_.name(), "is larger than 1 TiB");
    record current;
    for (control_reader reader = all(); reader.read(current);)
        index_.push_back(hash_bits(current.package()) | current.offset());
    if (index_.empty())
        throw file_error(file_.name(), "holds no record, only empty lines or comments");
    index_.shrink_to_fit();
    std::sort(index_.begin(), index_.end());
}

control_reader catalogue::all() const noexcept {
    return control_reader(file_.text(), file_.name());
}

std::optional<control_reader> catalogue::after(std::string_view name) const {
    const std::uint64_t wanted = hash_bits(name);
    std::optional<control_reader> result;
    record current;
    for (auto at = std::lower_bound(index_.begin(), index_.end(), wanted);
         at != index_.end() && (*at & ~offset_mask) == wanted; ++at) {
        control_reader reader(file_.text(), file_.name(), *at & offset_mask);
        if (reader.read(current) && current.package() == name)
            result = reader;
    }
    return result;
}

bool catalogue::find(std::string_view name, record& result) const {
    const std::uint64_t wanted = hash_bits(name);
    for (auto at = std::lower_bound(index_.begin(), index_.end(), wanted);
         at != index_.end() && (*at & ~offset_mask) == wanted; ++at) {
        control_reader reader(file_.text(), file_.name(), *at & offset_mask);
        if (reader.read(result) && result.package() == name)
            return true;
    }
    return false;
}

} // namespace package_catalog
