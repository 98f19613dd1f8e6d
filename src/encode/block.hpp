// Thirty-two bytes of text at a time with SSE2: loading, and validation of UTF-8.
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

// Up to 32 bytes of text, in two vectors of which the second begins `shift` bytes after the first: 16 in a full block,
// less in the last one of a text, where the two overlap; both agree where they do. Masks have a bit for each byte.
struct block {
    __m128i first;
    __m128i second;
    unsigned shift;
    unsigned width;

    // The first 32 of the `n` bytes at `p`, or all of them. Precondition: n > 0.
    static block load(const char* p, std::size_t n) noexcept {
        if (n >= 32)
            return {load_block(p), load_block(p + 16), 16, 32};
        const auto width = static_cast<unsigned>(n);
        if (n >= 16)
            return {load_block(p), load_block(p + n - 16), width - 16, width};
        const __m128i only = load_partial(p, n);
        return {only, only, 0, width};
    }

    // Stores `width` bytes, and up to 32 in all.
    void store(char* out) const noexcept {
        store_block(out, first);
        store_block(out + shift, second);
    }

    std::uint64_t all() const noexcept { return (std::uint64_t{1} << width) - 1; }

    template <class Test>
    std::uint64_t mask(Test test) const noexcept {
        const auto low = static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(test(first))));
        const auto high = static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(test(second))));
        return low | high << shift;
    }
    std::uint64_t non_ascii() const noexcept {
        return mask([](__m128i v) { return v; });
    }
    // As signed bytes: 0x80 to 0xff come below 0x00, in order.
    std::uint64_t less(int bound) const noexcept {
        return mask([bound](__m128i v) { return _mm_cmplt_epi8(v, _mm_set1_epi8(static_cast<char>(bound))); });
    }
    std::uint64_t greater(int bound) const noexcept {
        return mask([bound](__m128i v) { return _mm_cmpgt_epi8(v, _mm_set1_epi8(static_cast<char>(bound))); });
    }
    std::uint64_t equal(int value) const noexcept {
        return mask([value](__m128i v) { return _mm_cmpeq_epi8(v, _mm_set1_epi8(static_cast<char>(value))); });
    }
};

// How many of the block's bytes are whole well-formed sequences for certain. Less than there are when an ill-formed
// sequence or the end of the block stands in the way; classify_utf8 then decides about the next sequence.
//
// Each lead byte shifted left says where continuation bytes must stand (table 3-7); they must stand just there.
inline unsigned whole_sequences(const block& text, std::uint64_t non_ascii) noexcept {
    const std::uint64_t end = std::uint64_t{1} << text.width;
    const std::uint64_t continuation = text.less(0xc0);
    const std::uint64_t lead = non_ascii & ~continuation;
    const std::uint64_t lead34 = non_ascii & text.greater(0xdf);
    std::uint64_t expected = lead << 1;
    std::uint64_t bad = lead & text.less(0xc2);
    std::uint64_t open = lead & end >> 1; // sequences that the block's end cuts
    if (lead34 != 0) {
        expected |= lead34 << 2;
        open |= lead34 & end >> 2;
        const std::uint64_t from_a0 = continuation & text.greater(0x9f);
        bad |= text.equal(0xe0) << 1 & continuation & ~from_a0;
        bad |= text.equal(0xed) << 1 & from_a0;
        const std::uint64_t lead4 = lead34 & text.greater(0xef);
        if (lead4 != 0) {
            expected |= lead4 << 3;
            open |= lead4 & end >> 3;
            const std::uint64_t from_90 = continuation & text.greater(0x8f);
            bad |= text.equal(0xf0) << 1 & continuation & ~from_90;
            bad |= text.equal(0xf4) << 1 & from_90;
            bad |= lead4 & text.greater(0xf4);
        }
    }
    bad |= expected ^ continuation;
    bad &= end - 1;
    if (bad == 0) [[likely]]
        return open != 0 ? static_cast<unsigned>(std::countr_zero(open)) : text.width;
    // All before the last character that begins before the first bad byte is well-formed.
    const std::uint64_t before = ~continuation & ((bad & (0 - bad)) - 1);
    return before != 0 ? static_cast<unsigned>(std::bit_width(before)) - 1 : 0;
}

} // namespace sluice::encode::detail

#endif
