// The key of a member: a literal, checked by the compiler, or a string known at run time.
#pragma once

#include <sluice/encode/escape.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace sluice {

namespace detail {

enum class key_kind : std::uint8_t {
    none,     // an element of an array: no key
    listed,   // an element whose value has been given, and is to be awaited: no key
    root,     // the root: no key
    plain,    // a literal that is copied as it is
    html,     // a literal that is copied as it is unless the document is HTML-safe
    escaped,  // a literal that needs escapes
    run_time, // checked and escaped like a string; lives until the slot is filled
    owned,    // a run-time key that the slot frees
    data,     // a run-time key that is part of a value, the key of a map: never formatted
};

// Not constexpr: calling it in a constant expression stops the compilation, and names the reason.
inline void a_literal_key_must_be_valid_utf8() {}

// Throws std::invalid_argument.
[[noreturn]] void a_key_is_a_null_pointer();

// Of a key in one word: its size, above it the kind, and above that a hash, of literals only. A size that 32 bits do
// not hold is too long in any case, and must not look short.
constexpr std::uint64_t key_meta(std::size_t size, key_kind kind) noexcept {
    return (size < 0xffff'ffff ? size : 0xffff'ffff) | std::uint64_t{static_cast<std::uint8_t>(kind)} << 32;
}
constexpr std::uint64_t literal_meta(const char* text, std::size_t size, key_kind kind) noexcept {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325; // FNV-1a
    for (std::size_t i = 0; i < size; ++i)
        hash = (hash ^ static_cast<unsigned char>(text[i])) * 0x100'0000'01b3;
    return key_meta(size, kind) | (hash ^ hash >> 32) << 40;
}

} // namespace detail

/// Passed by value. A string literal is checked at compile time; anything else is a run-time key, which must live until
/// the slot that it belongs to is filled. A null pointer throws std::invalid_argument. 2 KiB at most, as it is written
/// (errc::key_too_long).
class key {
public:
    template <std::size_t N>
    consteval key(const char (&literal)[N]) : data_(literal), meta_(0) {
        auto kind = detail::key_kind::plain;
        switch (encode::classify_key(literal, N - 1)) {
        case encode::key_class::invalid_utf8:
            detail::a_literal_key_must_be_valid_utf8();
            break;
        case encode::key_class::needs_escape:
            kind = detail::key_kind::escaped;
            break;
        case encode::key_class::html_sensitive:
            kind = detail::key_kind::html;
            break;
        case encode::key_class::plain:
            break;
        }
        meta_ = detail::literal_meta(literal, N - 1, kind);
    }
    /// A character array that can change is a run-time key, up to its first NUL.
    template <std::size_t N>
    constexpr key(char (&text)[N]) : key(std::string_view(text)) {}
    template <class Pointer>
        requires std::same_as<Pointer, const char*> || std::same_as<Pointer, char*>
    constexpr key(const Pointer& text) : key(of_pointer(text)) {}
    constexpr key(std::string_view text) noexcept
        : data_(text.data()), meta_(detail::key_meta(text.size(), detail::key_kind::run_time)) {}
    constexpr key(const std::string& text) noexcept : key(std::string_view(text)) {}

    constexpr std::string_view text() const noexcept { return {data_, static_cast<std::uint32_t>(meta_)}; }
    constexpr std::uint64_t meta() const noexcept { return meta_; }

private:
    static constexpr std::string_view of_pointer(const char* text) {
        if (text == nullptr)
            detail::a_key_is_a_null_pointer();
        return text;
    }

    const char* data_;
    std::uint64_t meta_;
};

namespace detail {

/// What stands before a value: nothing for an element, a key for a member. Two machine words, passed in registers.
struct label {
    const char* data = nullptr;
    std::uint64_t meta = 0; // size, kind and hash: one word, for a label that is stored and loaded in parts of
                            // different sizes stalls the processor's store forwarding

    constexpr label() noexcept {}
    constexpr label(const char* text, std::uint64_t all) noexcept : data(text), meta(all) {}
    constexpr label(const char* text, std::size_t length, key_kind what) noexcept
        : data(text), meta(key_meta(length, what)) {}
    constexpr explicit label(const key& k) noexcept : label(k.text().data(), k.meta()) {}
    static constexpr label of_root() noexcept { return label(nullptr, 0, key_kind::root); }
    static constexpr label of_listed() noexcept { return label(nullptr, 0, key_kind::listed); }

    constexpr std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(meta); }
    constexpr key_kind kind() const noexcept { return static_cast<key_kind>(meta >> 32); }
    constexpr bool has_key() const noexcept { return kind() > key_kind::root; }
    constexpr bool is_literal() const noexcept { return has_key() && !is_run_time(); }
    constexpr bool is_run_time() const noexcept { return kind() >= key_kind::run_time; }
    constexpr std::string_view text() const noexcept { return {data, size()}; }
    // Whether the inline path may copy it, which is taken only where documents are not HTML-safe.
    constexpr bool fast() const noexcept { return kind() <= key_kind::html; }
    // Bytes that the inline path may touch: comma, quotes, colon and the key.
    constexpr std::size_t room() const noexcept { return std::size_t{size()} + 4; }
};

// Copies a short run of bytes whose length is not known to the compiler.
inline char* copy_short(char* to, const char* from, std::size_t n) noexcept {
    if (n >= 16) {
        std::memcpy(to, from, n);
    } else if (n >= 8) {
        encode::detail::store(to, encode::detail::load<std::uint64_t>(from));
        encode::detail::store(to + n - 8, encode::detail::load<std::uint64_t>(from + n - 8));
    } else if (n >= 4) {
        const auto first = encode::detail::load<std::uint32_t>(from);
        encode::detail::store(to + n - 4, encode::detail::load<std::uint32_t>(from + n - 4));
        encode::detail::store(to, first);
    } else if (n != 0) {
        to[0] = from[0];
        to[n / 2] = from[n / 2];
        to[n - 1] = from[n - 1];
    }
    return to + n;
}

// Writes `"key":`, or nothing for an element. Where the key is a literal at hand, all of it is constants.
[[gnu::always_inline]] inline char* put_label(char* to, label what) noexcept {
    if (!what.has_key())
        return to;
    *to = '"';
    if (__builtin_constant_p(what.size()))
        std::memcpy(to + 1, what.data, what.size());
    else
        copy_short(to + 1, what.data, what.size());
    to += what.size() + 1;
    to[0] = '"';
    to[1] = ':';
    return to + 2;
}

} // namespace detail

} // namespace sluice
