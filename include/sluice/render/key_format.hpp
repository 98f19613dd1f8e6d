// Key formats: how the keys of objects are spelt in a document, as in camelCase.
#pragma once

#include <sluice/encode/escape.hpp>
#include <sluice/render/key.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sluice {

namespace detail {

/// A literal key as a format spells it, found by the literal's address and hash.
struct alignas(64) formatted_key {
    std::uintptr_t id;       // of the literal, or without_text of that; 0 while the entry is free. Written last
    const std::string* name; // formatted, not escaped
    std::uint32_t size;      // of text
    char text[32];           // quotes, colon and all, as it stands in compact JSON that is not HTML-safe

    // Two literals have one id only where both address and hash agree: an address alone may be another's, after a
    // library that was unloaded.
    static std::uintptr_t id_of(label literal) noexcept {
        constexpr std::uint64_t high = 0xffff'8000'0000'0000;
        return reinterpret_cast<std::uintptr_t>(literal.data) ^ (literal.meta & high);
    }
    // The id of a literal whose text does not fit, or is not for every document: the inline path takes it for
    // another's.
    static std::uintptr_t without_text(std::uintptr_t id) noexcept { return ~id; }
    static constexpr std::size_t slots = 512;
    static std::size_t slot_of(label literal) noexcept { return literal.meta >> 40 & (slots - 1); }
};

} // namespace detail

/// A rule that maps the name of a member to its key, with the literal keys that it has mapped so far: each literal of
/// the program is formatted once in the process. Applies to literals, described members, the keys of maps and run-time
/// keys alike, and never to spliced bytes. Not copyable; must outlive every render that uses it: declare it static.
///
///     static const sluice::key_format shout("shout", [](std::string_view key) { return upcase(key) + "!"; });
///
/// In force for a render (render_options::keys), from an object or an array on until that is closed
/// (`out.object(shout)`), or, where neither says anything, for the process (set_default_key_format). May be used by
/// several threads at once; the rule is called by one at a time for literals, and must be safe to call for run-time
/// keys from each. What the rule throws comes out of the write, which writes nothing. A result that is not UTF-8 or too
/// long is treated like a run-time key of that text.
class key_format {
public:
    /// `name` tells the format from others in the keys of cached fragments: another rule has another name.
    /// `rule(std::string_view)` returns the key, convertible to std::string.
    template <class Rule>
        requires std::convertible_to<std::invoke_result_t<const Rule&, std::string_view>, std::string>
    key_format(std::string name, Rule rule)
        : name_(new std::string(std::move(name))),
          rule_(new Rule(std::move(rule))),
          apply_([](const void* self, std::string_view key, std::string& formatted) {
              formatted = (*static_cast<const Rule*>(self))(key);
          }),
          destroy_([](const void* self) { delete static_cast<const Rule*>(self); }) {}

    /// Several in sequence, each of which must outlive this.
    template <class... Next>
        requires(std::same_as<Next, key_format> && ...)
    key_format(const key_format& first, const key_format& second, const Next&... next)
        : key_format(first.name() + ((", " + second.name()) + ... + (", " + next.name())),
                     [parts = sequence<sizeof...(Next) + 2>{&first, &second, &next...}](std::string_view key) {
                         return parts(key);
                     }) {}

    key_format(const key_format&) = delete;
    key_format& operator=(const key_format&) = delete;
    ~key_format();

    const std::string& name() const noexcept { return *name_; }
    /// The key for a name. Throws what the rule throws.
    std::string operator()(std::string_view key) const;

    // ---- for the rest of the layer ---------------------------------------------------------------------------------

    /// The literals formatted so far; null for the format that changes nothing.
    detail::formatted_key* table() const;
    /// The entry of a literal, made if need be. Throws what the rule throws.
    const detail::formatted_key* find(detail::label literal) const;
    void apply(std::string_view key, std::string& formatted) const { apply_(rule_, key, formatted); }
    /// Whether a key grows to twice its size at most.
    bool is_bounded() const noexcept { return bounded_; }

    struct built_in;

private:
    template <std::size_t N>
    struct sequence {
        const key_format* parts[N];
        std::string operator()(std::string_view key) const {
            std::string formatted(key);
            for (const key_format* part : parts)
                formatted = (*part)(formatted);
            return formatted;
        }
    };
    struct literals;

    explicit key_format(const built_in& what);

    const std::string* name_;
    const void* rule_;
    void (*apply_)(const void* rule, std::string_view key, std::string& formatted);
    void (*destroy_)(const void* rule);
    bool bounded_ = false;
    mutable literals* literals_ = nullptr; // made when it is first used; read and written atomically
};

/// The formats that come with the library. Letters are ASCII letters; all else is copied.
namespace keys {

/// first_name: firstName. Words end at `_`; the first is lower-cased as far as it is upper-cased (URL_id: urlId), the
/// others are capitalized; what stands before the first word and behind the last is kept (_private, trailing_).
const key_format& camel() noexcept;
/// ActiveSupport's camelize(:lower), oddities and all: _private: Private, trailing_: trailing, URL_id: uRLId, a/b:
/// a::B.
const key_format& camel_rails() noexcept;
/// first_name: FirstName.
const key_format& upper_camel() noexcept;
/// firstName, FirstName, first-name: first_name; HTTPServer: http_server.
const key_format& snake() noexcept;
/// firstName, first_name: first-name.
const key_format& kebab() noexcept;
/// first_name: FIRST_NAME.
const key_format& upper() noexcept;
/// First_Name: first_name.
const key_format& lower() noexcept;
/// Keys as the template writes them, whatever is in force around.
const key_format& as_written() noexcept;

} // namespace keys

/// The format of every render that is begun from now on and whose options name none. It must outlive them all. As the
/// program starts: keys::as_written().
void set_default_key_format(const key_format& format) noexcept;
void set_default_key_format(const key_format&&) = delete;
const key_format& default_key_format() noexcept;

} // namespace sluice
