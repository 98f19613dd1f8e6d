// The inside of a JSON string: copying what needs no escape, escaping the rest (RFC 8259, section 7).
#pragma once

#include <sluice/encode/simd.hpp>
#include <sluice/encode/utf8.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sluice::encode {

// What is escaped beyond the need of JSON.
struct escape_mode {
    // '<', '>', '&', U+2028 and U+2029 too, as \u003c \u003e \u0026 \u2028 \u2029, so that the document may stand
    // inside an HTML <script> element.
    bool html_safe = false;
};

// `read`: the first byte of the input that was not consumed. `written`: the end of the output.
struct escape_result {
    const char* read;
    char* written;
};

// escape() makes progress as long as this many bytes are left in the output, and stops when there are fewer.
inline constexpr std::size_t escape_room = 8;

// The most bytes that one byte of input becomes: \u0000, or U+FFFD for an invalid one.
inline constexpr std::size_t max_escape_growth = 6;

// Escapes [p, e) into [out, out_end), without quotes, until the input is consumed or fewer than escape_room bytes are
// left in the output. Resumable: the output of any cutting of input and output is the same.
//
// '"' and '\\' are preceded by '\\'; U+0008, U+000C, U+000A, U+000D and U+0009 become \b \f \n \r \t, the other
// characters below U+0020 \u00xx in lower-case hexadecimal; everything else, U+007F included, is copied. Invalid UTF-8
// is replaced, each maximal subpart of an ill-formed sequence by one U+FFFD (EF BF BD).
//
// When `last` is false, an incomplete sequence of 1 to 3 bytes at the end of the input is left unread, and the caller
// puts it in front of the next piece; when `last` is true it is replaced. So afterwards there are three cases:
// read == e: done. out_end - written < escape_room: call again with more room. Else: carry [read, e).
//
// Reads nothing outside [p, e). Writes nothing outside [out, out_end), but bytes after `written` may be overwritten.
[[nodiscard]] escape_result escape(const char* p, const char* e, char* out, char* out_end, escape_mode mode,
                                   bool last) noexcept;

namespace detail {

// Nonzero in the high bit of some byte if any of the eight bytes is not plain (exact for "any", not for which).
// x ^ 2 maps '"' to 0x20, next to the control characters, and 0x20 and 0x21 beyond it: one comparison for both.
template <bool HtmlSafe>
constexpr std::uint64_t special_bytes(std::uint64_t x) noexcept {
    constexpr std::uint64_t ones = 0x0101'0101'0101'0101;
    std::uint64_t special = x | ((x ^ (ones * 0x02)) - ones * 0x21) | ((x ^ (ones * '\\')) - ones);
    if constexpr (HtmlSafe) // '<' | 2 is '>'
        special |= (((x | (ones * 0x02)) ^ (ones * '>')) - ones) | ((x ^ (ones * '&')) - ones);
    return special & (ones * 0x80);
}

template <class Word>
inline Word load(const char* p) noexcept {
    Word word;
    std::memcpy(&word, p, sizeof word);
    return word;
}

template <class Word>
inline void store(char* out, Word word) noexcept {
    std::memcpy(out, &word, sizeof word);
}

#if SLUICE_ENCODE_SSE2
inline __m128i load_block(const char* p) noexcept {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}

inline void store_block(char* out, __m128i block) noexcept {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), block);
}

// All ones in each byte that is not plain. The signed comparison takes non-ASCII bytes in with the control characters.
template <bool HtmlSafe>
inline __m128i special_lanes(__m128i v) noexcept {
    const __m128i two = _mm_set1_epi8(2);
    __m128i special = _mm_or_si128(_mm_cmplt_epi8(_mm_xor_si128(v, two), _mm_set1_epi8(0x21)),
                                   _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
    if constexpr (HtmlSafe)
        special = _mm_or_si128(special, _mm_or_si128(_mm_cmpeq_epi8(_mm_or_si128(v, two), _mm_set1_epi8('>')),
                                                     _mm_cmpeq_epi8(v, _mm_set1_epi8('&'))));
    return special;
}
#endif

// copy_plain for n > 32 (n > 16 without SSE2).
template <bool HtmlSafe>
char* copy_plain_long(char* out, const char* p, std::size_t n) noexcept;

} // namespace detail

// Copies [p, p + n) to `out` if every byte of it is plain, that is 0x20 to 0x7F but neither '"' nor '\\' (nor, when
// HtmlSafe, '<', '>' or '&'), and returns the end of the copy; otherwise returns nullptr, and the bytes at `out` are
// unspecified. For short strings that are probably plain; escape() does the rest, and long strings alone.
//
// Reads nothing outside [p, p + n) and writes nothing outside [out, out + n); the two must not overlap.
template <bool HtmlSafe = false>
[[nodiscard]] inline char* copy_plain(char* out, const char* p, std::size_t n) noexcept {
    using detail::load;
    using detail::special_bytes;
    using detail::store;
    // Two loads that overlap in the middle cover every length between one and two times their width, with no loop.
#if SLUICE_ENCODE_SSE2
    if (n >= 16) {
        if (n > 32)
            return detail::copy_plain_long<HtmlSafe>(out, p, n);
        const __m128i first = detail::load_block(p);
        const __m128i second = detail::load_block(p + n - 16);
        if (_mm_movemask_epi8(
                _mm_or_si128(detail::special_lanes<HtmlSafe>(first), detail::special_lanes<HtmlSafe>(second))) != 0)
            return nullptr;
        detail::store_block(out, first);
        detail::store_block(out + n - 16, second);
        return out + n;
    }
#else
    if (n > 16)
        return detail::copy_plain_long<HtmlSafe>(out, p, n);
#endif
    if (n >= 8) {
        const auto first = load<std::uint64_t>(p);
        const auto second = load<std::uint64_t>(p + n - 8);
        if ((special_bytes<HtmlSafe>(first) | special_bytes<HtmlSafe>(second)) != 0)
            return nullptr;
        store(out, first);
        store(out + n - 8, second);
        return out + n;
    }
    if (n >= 4) {
        const auto first = load<std::uint32_t>(p);
        const auto second = load<std::uint32_t>(p + n - 4);
        if (special_bytes<HtmlSafe>(first | std::uint64_t{second} << 32) != 0)
            return nullptr;
        store(out, first);
        store(out + n - 4, second);
        return out + n;
    }
    if (n == 0)
        return out;
    // First, middle and last are all there is. The filler is plain.
    const auto byte = [p](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(p[i])}; };
    constexpr std::uint64_t filler = 0x2020'2020'2000'0000;
    if (special_bytes<HtmlSafe>(filler | byte(n - 1) << 16 | byte(n / 2) << 8 | byte(0)) != 0)
        return nullptr;
    const char middle = p[n / 2];
    const char final = p[n - 1];
    out[0] = p[0];
    out[n / 2] = middle;
    out[n - 1] = final;
    return out + n;
}

// What a key needs before it may stand between quotes, the most demanding first.
enum class key_class : unsigned char {
    invalid_utf8,   // not well-formed UTF-8
    needs_escape,   // contains '"', '\\' or a control character
    html_sensitive, // contains '<', '>', '&', U+2028 or U+2029 and nothing that JSON escapes: plain unless html_safe
    plain,          // may be copied as it is in every mode
};

// The class of [p, p + n); usable in constant expressions, for keys that are literals.
constexpr key_class classify_key(const char* p, std::size_t n) noexcept {
    bool escape = false;
    bool html = false;
    for (std::size_t i = 0; i < n;) {
        const utf8_step step = classify_utf8(p + i, n - i);
        if (step.kind != utf8_kind::valid)
            return key_class::invalid_utf8;
        const char c = p[i];
        if (step.length == 1) {
            escape |= static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
            html |= c == '<' || c == '>' || c == '&';
        } else if (step.length == 3) {
            html |= c == '\xe2' && p[i + 1] == '\x80' && (p[i + 2] == '\xa8' || p[i + 2] == '\xa9');
        }
        i += step.length;
    }
    return escape ? key_class::needs_escape : html ? key_class::html_sensitive : key_class::plain;
}

} // namespace sluice::encode
