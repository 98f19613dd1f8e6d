// Values of fixed size as JSON text: null, booleans, numbers (RFC 8259, sections 3 and 6).
#pragma once

#include <sluice/encode/number.hpp>

#include <concepts>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace sluice::encode {

template <class T>
concept floating = std::same_as<std::remove_cv_t<T>, float> || std::same_as<std::remove_cv_t<T>, double>;

/// What write_scalar takes. Of the numbers, those that JSON can say: not NaN, not the infinities.
template <class T>
concept scalar = integer<T> || floating<T> || std::same_as<std::remove_cv_t<T>, bool> ||
                 std::same_as<std::remove_cv_t<T>, std::nullptr_t>;

/// Bytes that must be writable for write_scalar.
template <scalar T>
inline constexpr std::size_t max_scalar_size = floating<T> ? max_double_size : max_integer_size;

/// Writes the text of `value` and returns its end. Precondition: finite.
template <scalar T>
inline char* write_scalar(char* to, T value) noexcept {
    if constexpr (std::same_as<T, std::nullptr_t>) {
        std::memcpy(to, "null", 4);
        return to + 4;
    } else if constexpr (std::same_as<T, bool>) {
        // Both texts as eight bytes, chosen without a branch.
        std::memcpy(to, value ? "true\0\0\0" : "false\0\0", 8);
        return to + 5 - static_cast<int>(value);
    } else if constexpr (integer<T>) {
        return write_integer(to, value);
    } else {
        return write_number(to, value);
    }
}

} // namespace sluice::encode
