// Numbers as JSON text: exact integers, shortest round-trip floating point (RFC 8259, section 6).
#pragma once

#include <sluice/encode/simd.hpp>

#include <array>
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

// The digits of 0 to 99, two bytes each.
inline constexpr auto digit_pairs = [] {
    std::array<char, 200> pairs{};
    for (std::size_t i = 0; i < 100; ++i) {
        pairs[2 * i] = static_cast<char>('0' + i / 10);
        pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
    return pairs;
}();

inline char* write_pair(char* out, std::uint32_t value) noexcept {
    std::memcpy(out, digit_pairs.data() + 2 * value, 2);
    return out + 2;
}

// One or two digits. Stores two bytes: a leading zero is shifted out rather than branched on.
inline char* write_leading_pair(char* out, std::uint32_t value) noexcept {
    std::uint16_t pair;
    std::memcpy(&pair, digit_pairs.data() + 2 * value, 2);
    const unsigned zero = value < 10;
    if constexpr (std::endian::native == std::endian::big)
        pair = static_cast<std::uint16_t>(pair << (8 * zero));
    else
        pair = static_cast<std::uint16_t>(pair >> (8 * zero));
    std::memcpy(out, &pair, 2);
    return out + 2 - zero;
}

// One to four digits. Small numbers are the most common, and of one length mostly, so that branches are cheap.
inline char* write_leading_four(char* out, std::uint32_t value) noexcept {
    if (value < 100)
        return write_leading_pair(out, value);
    const std::uint32_t upper = value / 100;
    return write_pair(write_leading_pair(out, upper), value - upper * 100);
}

// Eight digits without their leading zeros, which are shifted out of the register. Stores eight bytes.
inline char* store_leading(char* out, std::uint64_t digits) noexcept {
    // The last digit always stays, so that 0 is "0".
    const int zeros = std::countr_zero(digits | std::uint64_t{1} << 56) >> 3;
    store_digits(out, (digits | ascii_zeros) >> (zeros * 8)); // 56 at most: NOLINT(clang-analyzer-core.BitwiseShift)
    return out + (8 - zeros);
}

#if SLUICE_ENCODE_SSE2
// eight_digits of two values at once: `upper` in the low half, `lower` in the high half.
inline __m128i sixteen_digits(std::uint32_t upper, std::uint32_t lower) noexcept {
    const __m128i eights = _mm_set_epi64x(lower, upper);
    const __m128i high = _mm_srli_epi64(_mm_mul_epu32(eights, _mm_set1_epi32(109'951'163)), 40);
    const __m128i low = _mm_sub_epi32(eights, _mm_mul_epu32(high, _mm_set1_epi32(10'000)));
    const __m128i fours = _mm_or_si128(high, _mm_slli_epi64(low, 32));
    const __m128i hundreds = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi16(5'243)), 3);
    const __m128i rest = _mm_sub_epi16(fours, _mm_mullo_epi16(hundreds, _mm_set1_epi16(100)));
    const __m128i twos = _mm_or_si128(hundreds, _mm_slli_epi32(rest, 16));
    const __m128i tens = _mm_mulhi_epu16(twos, _mm_set1_epi16(6'554));
    const __m128i ones = _mm_sub_epi16(twos, _mm_mullo_epi16(tens, _mm_set1_epi16(10)));
    return _mm_or_si128(tens, _mm_slli_epi16(ones, 8));
}
#endif

// The eight digits of each, all sixteen or without the leading zeros of `upper`.
inline char* write_sixteen(char* out, std::uint32_t upper, std::uint32_t lower) noexcept {
#if SLUICE_ENCODE_SSE2
    const __m128i text = _mm_or_si128(sixteen_digits(upper, lower), _mm_set1_epi8('0'));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), text);
    return out + 16;
#else
    return write_eight(write_eight(out, upper), lower);
#endif
}

inline char* write_nine_to_sixteen(char* out, std::uint32_t upper, std::uint32_t lower) noexcept {
#if SLUICE_ENCODE_SSE2
    const __m128i digits = sixteen_digits(upper, lower);
    out = store_leading(out, static_cast<std::uint64_t>(_mm_cvtsi128_si64(digits)));
    const __m128i text = _mm_or_si128(digits, _mm_set1_epi8('0'));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_unpackhi_epi64(text, text));
    return out + 8;
#else
    return write_eight(store_leading(out, eight_digits(upper)), lower);
#endif
}

inline char* write_unsigned(char* out, std::uint64_t value) noexcept {
    constexpr std::uint64_t eight = 100'000'000;
    if (value < eight) {
        const auto small = static_cast<std::uint32_t>(value);
        if (small < 10'000)
            return write_leading_four(out, small);
        const std::uint32_t upper = small / 10'000;
        const std::uint32_t lower = small - upper * 10'000;
        out = write_leading_four(out, upper);
        out = write_pair(out, lower / 100);
        return write_pair(out, lower % 100);
    }
    std::uint64_t upper = value / eight;
    const auto lower = static_cast<std::uint32_t>(value - upper * eight);
    if (upper < eight)
        return write_nine_to_sixteen(out, static_cast<std::uint32_t>(upper), lower);
    const std::uint64_t top = upper / eight;
    upper -= top * eight;
    out = write_leading_four(out, static_cast<std::uint32_t>(top));
    return write_sixteen(out, static_cast<std::uint32_t>(upper), lower);
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
// notation before scientific (std::to_chars: 0.1, 1e-07, 1e+23); whole numbers of less than 1e15 (2^24 for a float)
// in plain digits even where an exponent would be shorter: 100000, not 1e+05. A float is shortened as a float: 0.1f is
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
