#include "record.hpp"

namespace package_catalog {

namespace {

std::string_view value_of(const field* found) noexcept {
    return found ? found->value : std::string_view{};
}

} // namespace

const field* record::find(std::string_view name) const noexcept {
    for (const field& item : fields_)
        if (same_key(item.name, name))
            return &item;
    return nullptr;
}

std::string_view record::section() const noexcept {
    return value_of(find("section"));
}

std::string_view record::description() const noexcept {
    return value_of(find("description"));
}

} // namespace package_catalog
