// Sixteen bytes of text at a time with SSE2: loading, and validation of UTF-8.
#pragma once

#include <sluice/encode/escape.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

#if SLUICE_ENCODE_SSE2

namespace sluice::encode::detail {

// The `n` bytes at `p` followed by zeros, without reading past them. Precondition: 0 < n < 16.
inline __m128i load_partial(const char* p, std::size_t n) noexcept {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    if (n > 8) {
        low = load<std::uint64_t>(p);
        high = load<std::uint64_t>(p + n - 8) >> (8 * (16 - n));
    } else if (n >= 4) {
        low = load<std::uint32_t>(p) | std::uint64_t{load<std::uint32_t>(p + n - 4)} << (8 * (n - 4));
    } else {
        const auto byte = [p](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(p[i])} << (8 * i); };
        low = byte(0) | byte(n / 2) | byte(n - 1);
    }
    return _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
}

// One bit a byte: those less than `bound`, or greater, as signed: 0x80 to 0xff come below 0x00, in order.
inline unsigned bytes_less(__m128i v, int bound) noexcept {
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmplt_epi8(v, _mm_set1_epi8(static_cast<char>(bound)))));
}
inline unsigned bytes_greater(__m128i v, int bound) noexcept {
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpgt_epi8(v, _mm_set1_epi8(static_cast<char>(bound)))));
}
inline unsigned bytes_equal(__m128i v, int value) noexcept {
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(static_cast<char>(value)))));
}

// How many of the first `width` bytes of `v` are whole well-formed sequences for certain. Less than there are when an
// ill-formed sequence or the end of the block stands in the way; classify_utf8 then decides about the next sequence.
// `non_ascii` has a bit for each byte of 0x80 and more; bytes from `width` on are zero.
//
// Each lead byte shifted left says where continuation bytes must stand (table 3-7); they must stand just there.
inline unsigned whole_sequences(__m128i v, unsigned non_ascii, unsigned width) noexcept {
    const unsigned continuation = bytes_less(v, 0xc0);
    const unsigned lead = non_ascii & ~continuation;
    const unsigned lead34 = non_ascii & bytes_greater(v, 0xdf);
    unsigned expected = lead << 1;
    unsigned bad = lead & bytes_less(v, 0xc2);
    unsigned open = lead & (1u << width >> 1); // sequences that the block's end cuts
    if (lead34 != 0) {
        expected |= lead34 << 2;
        open |= lead34 & (1u << width >> 2);
        const unsigned from_a0 = continuation & bytes_greater(v, 0x9f);
        bad |= bytes_equal(v, 0xe0) << 1 & continuation & ~from_a0;
        bad |= bytes_equal(v, 0xed) << 1 & from_a0;
        const unsigned lead4 = lead34 & bytes_greater(v, 0xef);
        if (lead4 != 0) {
            expected |= lead4 << 3;
            open |= lead4 & (1u << width >> 3);
            const unsigned from_90 = continuation & bytes_greater(v, 0x8f);
            bad |= bytes_equal(v, 0xf0) << 1 & continuation & ~from_90;
            bad |= bytes_equal(v, 0xf4) << 1 & from_90;
            bad |= lead4 & bytes_greater(v, 0xf4);
        }
    }
    bad |= expected ^ continuation;
    bad &= (1u << width) - 1;
    if (bad == 0)
        return open != 0 ? static_cast<unsigned>(std::countr_zero(open)) : width;
    // All before the last character that begins before the first bad byte is well-formed.
    const unsigned before = ~continuation & ((1u << std::countr_zero(bad)) - 1);
    return before != 0 ? static_cast<unsigned>(std::bit_width(before)) - 1 : 0;
}

} // namespace sluice::encode::detail

#endif
