// Scalars and strings into a document: the inline paths, and where the slow ones begin.
#pragma once

#include <sluice/encode/escape.hpp>
#include <sluice/encode/scalar.hpp>
#include <sluice/render/document.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace sluice::detail {

// Out of line: full chunks, misuse, options, values without a text.
void scalar_slow(document& doc, std::uint32_t serial, label name, std::nullptr_t value);
void scalar_slow(document& doc, std::uint32_t serial, label name, bool value);
void scalar_slow(document& doc, std::uint32_t serial, label name, std::int64_t value);
void scalar_slow(document& doc, std::uint32_t serial, label name, std::uint64_t value);
void scalar_slow(document& doc, std::uint32_t serial, label name, double value);
void scalar_slow(document& doc, std::uint32_t serial, label name, float value);

template <class T>
auto widened(T value) noexcept {
    if constexpr (std::same_as<T, bool> || std::same_as<T, std::nullptr_t> || encode::floating<T>)
        return value;
    else if constexpr (std::signed_integral<T>)
        return std::int64_t{value};
    else
        return std::uint64_t{value};
}

template <encode::scalar T>
[[gnu::always_inline]] inline void put_scalar(document& doc, std::uint32_t serial, label name, T value) {
    if (name.fast()) [[likely]] {
        if (char* const to = doc.fast(serial, name, encode::max_scalar_size<T>)) [[likely]] {
            bool has_text = true;
            if constexpr (encode::floating<T>)
                has_text = __builtin_isfinite(value);
            if (has_text) [[likely]] {
                doc.fast_done(encode::write_scalar(to, value));
                return;
            }
        }
    }
    scalar_slow(doc, serial, name, widened(value));
}

// Returns true when the string has been written whole by an inline path.
[[gnu::always_inline]] inline bool put_text(document& doc, std::uint32_t serial, label name, std::string_view text) {
    if (name.fast()) [[likely]] {
        if (char* const to = doc.fast(serial, name, text.size() + 2)) [[likely]] {
            *to = '"';
            if (char* end = encode::copy_plain(to + 1, text.data(), text.size())) [[likely]] {
                *end = '"';
                doc.fast_done(end + 1);
                return true;
            }
        }
    }
    return doc.put_escaped_text(serial, name, text);
}

// A pointer's text: null is refused by null_text.
template <class T>
std::string_view text_of(const T& value) noexcept {
    if constexpr (std::is_array_v<T>) {
        // A literal's own NUL is not part of it; a buffer ends at its first.
        std::string_view all(value, std::extent_v<T>);
        return all.substr(0, all.find('\0'));
    } else {
        return std::string_view(value);
    }
}

template <class T>
constexpr bool is_null_text(const T& value) noexcept {
    if constexpr (std::is_pointer_v<T>)
        return value == nullptr;
    else
        return false;
}

} // namespace sluice::detail
