#include "block.hpp"
#include <sluice/encode/escape.hpp>

#include <array>
#include <bit>

namespace sluice::encode {
namespace {

#if !SLUICE_ENCODE_SSE2
using detail::load;
using detail::special_bytes;
using detail::store;
#endif

// An escape and its length, in one eight-byte word, so that writing one is a load, a store and an addition.
struct escape_text {
    std::array<char, 7> text{};
    unsigned char length = 0;
};
static_assert(sizeof(escape_text) == 8 && escape_room == sizeof(escape_text));

constexpr escape_text unicode_escape(unsigned code) {
    constexpr std::string_view hex = "0123456789abcdef";
    return {{'\\', 'u', hex[code >> 12 & 15], hex[code >> 8 & 15], hex[code >> 4 & 15], hex[code & 15]}, 6};
}

// By the escaped ASCII character; length 0 marks those that JSON never escapes nor html_safe.
constexpr auto escapes = [] {
    std::array<escape_text, 128> table{};
    for (unsigned c = 0; c < 0x20; ++c)
        table[c] = unicode_escape(c);
    for (const char c : {'<', '>', '&'})
        table[static_cast<unsigned char>(c)] = unicode_escape(static_cast<unsigned char>(c));
    constexpr std::string_view from = "\"\\\b\f\n\r\t";
    constexpr std::string_view to = "\"\\bfnrt";
    for (std::size_t i = 0; i < from.size(); ++i)
        table[static_cast<unsigned char>(from[i])] = {{'\\', to[i]}, 2};
    return table;
}();

constexpr escape_text line_separator = unicode_escape(0x2028);
constexpr escape_text paragraph_separator = unicode_escape(0x2029);
constexpr std::string_view replacement = "\xef\xbf\xbd"; // U+FFFD

// Writes eight bytes, of which up to six count.
char* write_escape(char* out, const escape_text& escape) noexcept {
    std::memcpy(out, &escape, sizeof escape);
    return out + escape.length;
}

// Whether the three bytes at `p` are U+2028 or U+2029.
bool is_separator(const char* p) noexcept {
    return p[0] == '\xe2' && p[1] == '\x80' && (p[2] == '\xa8' || p[2] == '\xa9');
}

template <bool HtmlSafe>
constexpr bool is_escaped(char c) noexcept {
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\' ||
           (HtmlSafe && (c == '<' || c == '>' || c == '&'));
}

// One character, or one replacement. Needs a byte of input and escape_room bytes of output. False when the input ends
// within a character that may continue.
template <bool HtmlSafe>
bool step(const char*& p, const char* e, char*& out, bool last) noexcept {
    const utf8_step next = classify_utf8(p, static_cast<std::size_t>(e - p));
    if (next.kind == utf8_kind::valid) {
        if (next.length == 1 && is_escaped<HtmlSafe>(*p)) {
            out = write_escape(out, escapes[static_cast<unsigned char>(*p)]);
        } else if (HtmlSafe && next.length == 3 && is_separator(p)) {
            out = write_escape(out, p[2] == '\xa8' ? line_separator : paragraph_separator);
        } else {
            for (unsigned i = 0; i < next.length; ++i)
                *out++ = p[i];
        }
    } else {
        if (next.kind == utf8_kind::incomplete && !last)
            return false;
        std::memcpy(out, replacement.data(), replacement.size());
        out += replacement.size();
    }
    p += next.length;
    return true;
}

#if SLUICE_ENCODE_SSE2

// A block of input grows to this at most, the scratch after it included.
constexpr std::ptrdiff_t block_room = 32 * static_cast<std::ptrdiff_t>(max_escape_growth) + 32;

// The bytes that are to be escaped, U+2028 and U+2029 by their first byte.
template <bool HtmlSafe>
std::uint64_t escape_bits(const detail::block& text, std::uint64_t special, std::uint64_t non_ascii) noexcept {
    std::uint64_t bits = special & ~non_ascii;
    if constexpr (HtmlSafe) {
        if (const std::uint64_t e2 = non_ascii & text.equal(0xe2); e2 != 0)
            bits |= e2 & text.equal(0x80) >> 1 & (text.equal(0xa8) | text.equal(0xa9)) >> 2;
    }
    return bits;
}

void copy_32(char* out, const char* p) noexcept {
    const __m128i first = detail::load_block(p);
    const __m128i second = detail::load_block(p + 16);
    detail::store_block(out, first);
    detail::store_block(out + 16, second);
}

// Whole blocks, and what is left at the end as a partial one, while there is room for the worst. Stops early at a
// sequence that is for step() to judge. A block is scanned once: it is stored as it is, and then each escape is put
// over its character and the rest of the block copied anew behind it.
template <bool HtmlSafe>
void escape_blocks(const char*& from, const char* e, char*& to, char* out_end) noexcept {
    const char* p = from;
    char* out = to;
    while (p != e && out_end - out >= block_room) {
        const auto left = static_cast<std::size_t>(e - p);
        const auto text = detail::block::load(p, left);
        unsigned width = text.width;
        const std::uint64_t special = text.mask(detail::special_lanes<HtmlSafe>) & text.all();
        text.store(out);
        if (special != 0) {
            const std::uint64_t non_ascii = text.non_ascii();
            if (non_ascii != 0) {
                width = detail::whole_sequences(text, non_ascii);
                if (width == 0)
                    break;
            }
            std::uint64_t bits = escape_bits<HtmlSafe>(text, special, non_ascii);
            bits &= (std::uint64_t{1} << width) - 1;
            if (bits != 0) {
                // Copies from within the block must not read past the input.
                char copy[64];
                const char* source = p;
                if (left < 64) {
                    std::memset(copy + 32, 0, 32);
                    text.store(copy);
                    source = copy;
                }
                unsigned done = 0;
                do {
                    const auto at = static_cast<unsigned>(std::countr_zero(bits));
                    bits &= bits - 1;
                    out += at - done;
                    if (HtmlSafe && source[at] == '\xe2') {
                        out = write_escape(out, source[at + 2] == '\xa8' ? line_separator : paragraph_separator);
                        done = at + 3;
                    } else {
                        out = write_escape(out, escapes[static_cast<unsigned char>(source[at])]);
                        done = at + 1;
                    }
                    copy_32(out, source + done);
                } while (bits != 0);
                p += width;
                out += width - done;
                continue;
            }
        }
        p += width;
        out += width;
    }
    from = p;
    to = out;
}

#else

template <bool HtmlSafe>
void escape_blocks(const char*& p, const char* e, char*& out, char* out_end) noexcept {
    while (e - p >= 8 && out_end - out >= 8) {
        const auto word = load<std::uint64_t>(p);
        if (special_bytes<HtmlSafe>(word) != 0)
            break;
        store(out, word);
        p += 8;
        out += 8;
    }
}

#endif

template <bool HtmlSafe>
escape_result escape_all(const char* p, const char* e, char* out, char* out_end, bool last) noexcept {
    for (;;) {
        escape_blocks<HtmlSafe>(p, e, out, out_end);
        if (p == e || out_end - out < static_cast<std::ptrdiff_t>(escape_room) || !step<HtmlSafe>(p, e, out, last))
            return {p, out};
    }
}

} // namespace

escape_result escape(const char* p, const char* e, char* out, char* out_end, escape_mode mode, bool last) noexcept {
    return mode.html_safe ? escape_all<true>(p, e, out, out_end, last) : escape_all<false>(p, e, out, out_end, last);
}

namespace detail {

template <bool HtmlSafe>
char* copy_plain_long(char* out, const char* p, std::size_t n) noexcept {
    char* const end = out + n;
#if SLUICE_ENCODE_SSE2
    constexpr std::size_t width = 32;
    const auto copy = [](char* to, const char* from) {
        const __m128i first = load_block(from);
        const __m128i second = load_block(from + 16);
        store_block(to, first);
        store_block(to + 16, second);
        return _mm_movemask_epi8(_mm_or_si128(special_lanes<HtmlSafe>(first), special_lanes<HtmlSafe>(second))) == 0;
    };
#else
    constexpr std::size_t width = 8;
    const auto copy = [](char* to, const char* from) {
        const auto word = load<std::uint64_t>(from);
        store(to, word);
        return special_bytes<HtmlSafe>(word) == 0;
    };
#endif
    for (; n > width; n -= width, p += width, out += width) {
        if (!copy(out, p))
            return nullptr;
    }
    // The last ones overlap what is already copied.
    return copy(end - width, p + n - width) ? end : nullptr;
}

template char* copy_plain_long<false>(char* out, const char* p, std::size_t n) noexcept;
template char* copy_plain_long<true>(char* out, const char* p, std::size_t n) noexcept;

} // namespace detail

} // namespace sluice::encode
