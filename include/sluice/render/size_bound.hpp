// How large a value can become, told before it is written.
#pragma once

#include <sluice/encode/chrono_format.hpp>
#include <sluice/encode/escape.hpp>
#include <sluice/encode/number.hpp>
#include <sluice/render/document.hpp>
#include <sluice/render/members.hpp>
#include <sluice/render/put_scalar.hpp>
#include <sluice/render/value_kind.hpp>

#include <cstddef>
#include <string_view>
#include <tuple>
#include <variant>

namespace sluice::detail {

inline constexpr std::size_t unbounded = std::size_t{1} << 40;

// An upper bound of what a value takes when written whole, or more than whole_limit: then it is written in parts, with
// awaits between.
template <class T, class Pick = all_members>
std::size_t size_bound(const T& value, Pick pick = {}) {
    constexpr value_kind kind = kind_of<T>;
    if constexpr (kind == value_kind::scalar || kind == value_kind::character) {
        return encode::max_double_size;
    } else if constexpr (kind == value_kind::time_point || kind == value_kind::duration) {
        return encode::max_timestamp_size + encode::max_duration_size;
    } else if constexpr (kind == value_kind::text) {
        if (is_null_text(value))
            return 0;
        const std::size_t size = text_of(value).size();
        return size < whole_limit ? size * encode::max_escape_growth + 2 : unbounded;
    } else if constexpr (kind == value_kind::enumeration) {
        return 512;
    } else if constexpr (kind == value_kind::optional) {
        return value ? size_bound(*value, pick) : 4;
    } else if constexpr (kind == value_kind::variant) {
        return std::visit([&](const auto& held) { return size_bound(held, pick); }, value);
    } else if constexpr (kind == value_kind::tuple) {
        return std::apply([](const auto&... parts) { return (size_bound(parts) + ... + (sizeof...(parts) + 2)); },
                          value);
    } else if constexpr (kind == value_kind::structure) {
        std::size_t size = 2;
        boost::mp11::mp_for_each<picked<T, Pick>>([&](auto descriptor) {
            using descriptor_type = decltype(descriptor);
            size += std::string_view(descriptor_type::name).size() * encode::max_escape_growth + 4;
            if (size <= whole_limit)
                size += size_bound(value.*descriptor_type::pointer);
        });
        return size;
    } else if constexpr (kind == value_kind::map) {
        std::size_t size = 2;
        for (const auto& [name, held] : value) {
            size += size_bound(name) + size_bound(held, pick) + 2;
            if (size > whole_limit)
                break;
        }
        return size;
    } else if constexpr (kind == value_kind::range && forward_range<const T>) {
        std::size_t size = 2;
        for (const auto& element : value) {
            size += size_bound(element, pick) + 1;
            if (size > whole_limit)
                break;
        }
        return size;
    } else {
        return unbounded;
    }
}

// Whether a value is short enough to be written whole, with its key, once the gate is open.
template <class T, class Pick = all_members>
bool fits_whole(const document& doc, label name, const T& value, Pick pick = {}) {
    constexpr value_kind kind = kind_of<T>;
    const key_format& keys = *doc.in_force().keys;
    if (doc.json().indent() != 0 || !keys.is_bounded()) {
        // The white space of a container's parts, or their keys, have no bound that the container knows.
        if constexpr (kind == value_kind::optional) {
            if (value)
                return fits_whole(doc, name, *value, pick);
        } else if constexpr (kind == value_kind::variant) {
            return std::visit([&](const auto& held) { return fits_whole(doc, name, held, pick); }, value);
        } else if constexpr (kind == value_kind::tuple || kind == value_kind::structure || kind == value_kind::map ||
                             kind == value_kind::range) {
            return false;
        }
    }
    const std::size_t key = name.room() * encode::max_escape_growth;
    return key < whole_limit && size_bound(value, pick) <= whole_limit - key;
}

} // namespace sluice::detail
