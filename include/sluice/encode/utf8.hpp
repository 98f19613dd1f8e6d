// Validation of UTF-8 (The Unicode Standard 15.0, section 3.9, table 3-7).
#pragma once

#include <cstddef>
#include <string_view>

namespace sluice::encode {

enum class utf8_kind : unsigned char {
    valid,      // a whole well-formed sequence
    invalid,    // ill-formed, whatever follows
    incomplete, // the input ends within what may still become a well-formed sequence
};

// What stands at the beginning of some bytes.
// `length` is, by `kind`: valid: the bytes of the sequence, 1 to 4. invalid: the bytes of its maximal subpart, 1 to 3,
// which one U+FFFD replaces (section 3.9, "U+FFFD Substitution of Maximal Subparts"). incomplete: all the bytes that
// are there, 1 to 3; at the end of the text one U+FFFD replaces them too.
struct utf8_step {
    utf8_kind kind;
    unsigned char length;

    friend bool operator==(const utf8_step&, const utf8_step&) = default;
};

// Classifies the sequence at `p`, looking at no more than `n` bytes. Precondition: n > 0.
constexpr utf8_step classify_utf8(const char* p, std::size_t n) noexcept {
    const auto byte = [p](std::size_t i) { return static_cast<unsigned char>(p[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return {utf8_kind::valid, 1};
    if (lead < 0xc2 || lead > 0xf4) // a continuation, an overlong form of ASCII, or past U+10FFFF
        return {utf8_kind::invalid, 1};
    const unsigned char length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    // The second byte alone decides about overlong forms, surrogates and the end of Unicode.
    const unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (n < 2)
        return {utf8_kind::incomplete, 1};
    if (byte(1) < low || byte(1) > high)
        return {utf8_kind::invalid, 1};
    for (unsigned char i = 2; i < length; ++i) {
        if (n <= i)
            return {utf8_kind::incomplete, i};
        if ((byte(i) & 0xc0) != 0x80)
            return {utf8_kind::invalid, i};
    }
    return {utf8_kind::valid, length};
}

// The length of the longest prefix of [p, p + n) that consists of whole well-formed sequences. When it is less than
// `n`, classify_utf8 at that place tells whether the rest is invalid or only incomplete.
[[nodiscard]] std::size_t valid_prefix(const char* p, std::size_t n) noexcept;

[[nodiscard]] inline bool is_valid_utf8(std::string_view text) noexcept {
    return valid_prefix(text.data(), text.size()) == text.size();
}

} // namespace sluice::encode
