// Numbers as JSON text: exact integers, shortest round-trip floating point (RFC 8259, section 6).
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace sluice::encode {

// Every integer type of at most 64 bits. bool and the character types are not numbers here: what a char means
// (a number or a letter) must be said by the caller. signed char and unsigned char (std::int8_t, std::uint8_t) are.
template <class T>
concept integer = std::integral<T> && sizeof(T) <= sizeof(std::uint64_t) && !std::same_as<std::remove_cv_t<T>, bool> &&
                  !std::same_as<std::remove_cv_t<T>, char> && !std::same_as<std::remove_cv_t<T>, wchar_t> &&
                  !std::same_as<std::remove_cv_t<T>, char8_t> && !std::same_as<std::remove_cv_t<T>, char16_t> &&
                  !std::same_as<std::remove_cv_t<T>, char32_t>;

// Bytes that must be writable at `out` for write_integer, whatever the value. The text itself is shorter for most
// values, but the bytes after it, up to this many in all, may be overwritten with scratch.
inline constexpr std::size_t max_integer_size = 20;

// Bytes that must be writable at `out` for write_number, whatever the value and style.
inline constexpr std::size_t max_double_size = 32;

namespace detail {

// The eight decimal digits of `value` (< 10^8), one a byte, the most significant in the lowest byte. The value is
// halved three times, in all lanes at once: by 10^4, 10^2 and 10, each division a multiplication by a rounded-up
// reciprocal that is exact for the lane's range.
constexpr std::uint64_t eight_digits(std::uint32_t value) noexcept {
    const std::uint32_t upper = value / 10'000;
    const std::uint64_t fours = upper | std::uint64_t{value - upper * 10'000} << 32;
    const std::uint64_t hundreds = ((fours * 10'486) >> 20) & 0x0000'007f'0000'007f;
    const std::uint64_t twos = hundreds + ((fours - hundreds * 100) << 16);
    const std::uint64_t tens = ((twos * 103) >> 10) & 0x000f'000f'000f'000f;
    return tens + ((twos - tens * 10) << 8);
}

inline constexpr std::uint64_t ascii_zeros = 0x3030'3030'3030'3030;

// Stores the lowest byte first on every machine.
inline void store_digits(char* out, std::uint64_t digits) noexcept {
    if constexpr (std::endian::native == std::endian::big) {
        for (int i = 0; i < 8; ++i, digits >>= 8)
            out[i] = static_cast<char>(digits & 0xff);
    } else {
        std::memcpy(out, &digits, sizeof digits);
    }
}

// Eight digits, leading zeros kept.
inline char* write_eight(char* out, std::uint32_t value) noexcept {
    store_digits(out, eight_digits(value) | ascii_zeros);
    return out + 8;
}

// One to eight digits, no leading zero. Stores eight bytes: the leading zeros are shifted out of the register, so
// that the only branch is the caller's.
inline char* write_leading(char* out, std::uint32_t value) noexcept {
    const std::uint64_t digits = eight_digits(value);
    // The last digit always stays, so that 0 is "0".
    const int zeros = std::countr_zero(digits | std::uint64_t{1} << 56) >> 3;
    store_digits(out, (digits | ascii_zeros) >> (zeros * 8));
    return out + (8 - zeros);
}

inline char* write_unsigned(char* out, std::uint64_t value) noexcept {
    constexpr std::uint64_t eight = 100'000'000;
    if (value < eight)
        return write_leading(out, static_cast<std::uint32_t>(value));
    const std::uint64_t upper = value / eight;
    const auto low = static_cast<std::uint32_t>(value - upper * eight);
    if (upper < eight) {
        out = write_leading(out, static_cast<std::uint32_t>(upper));
    } else {
        const std::uint64_t top = upper / eight;
        out = write_leading(out, static_cast<std::uint32_t>(top));
        out = write_eight(out, static_cast<std::uint32_t>(upper - top * eight));
    }
    return write_eight(out, low);
}

} // namespace detail

// Writes `value` in decimal, exactly, and returns the end of the text: 1 to 20 bytes. `out` must have
// max_integer_size writable bytes; those after the text may be overwritten.
template <integer Integer>
inline char* write_integer(char* out, Integer value) noexcept {
    if constexpr (std::signed_integral<Integer>) {
        // Sign and magnitude without a branch: a mix of signs is common and would be mispredicted.
        const std::uint64_t mask = value < 0 ? ~std::uint64_t{0} : 0;
        const std::uint64_t magnitude = (static_cast<std::uint64_t>(value) ^ mask) - mask;
        *out = '-';
        return detail::write_unsigned(out + (mask & 1), magnitude);
    } else {
        return detail::write_unsigned(out, value);
    }
}

// Writes the shortest text that reads back as exactly `value` and returns its end; of texts of equal length, fixed
// notation before scientific (std::to_chars: 0.1, 1e-07, 1e+23, 1e+05). A float is shortened as a float: 0.1f is
// "0.1". -0.0 is "-0". With `keep_point`, a whole number that would read as an integer ends in ".0" ("16.0", "-0.0");
// one in scientific notation is left as it is. Independent of the locale.
//
// Precondition: `value` is finite, JSON has no text for others. `out` must have max_double_size writable bytes.
char* write_number(char* out, double value, bool keep_point = false) noexcept;
char* write_number(char* out, float value, bool keep_point = false) noexcept;

// Refused: hardly any reader of JSON keeps more than a double, and the shortest text of a long double differs between
// machines (64, 80, 106 or 128 bits). Convert to double where the loss is meant.
char* write_number(char* out, long double value, bool keep_point = false) noexcept = delete;

} // namespace sluice::encode
