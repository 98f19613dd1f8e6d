// object: an open JSON object.
#pragma once

#include <sluice/render/container.hpp>
#include <sluice/render/document.hpp>
#include <sluice/render/key.hpp>
#include <sluice/render/slot.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace sluice {

/// A scope: it is opened by slot::object and closed by its destructor, which never waits and never throws. While it is
/// open, containers around it must not be written. Closed while an exception passes, it fails the render instead.
class object : public detail::container {
public:
    [[gnu::always_inline]] ~object() { doc_.close_scope(scope_, '}'); }

    /// Writes a member; what may be a value, and what is written when, says slot::operator().
    template <class T>
    auto operator()(key name, T&& value);
    template <class T, class Pick>
    auto operator()(key name, T&& value, Pick pick);
    template <class T>
    auto operator()(key name, T&& value, absent_policy absent);

    /// The slot of a member. A key that is not a literal must live until the slot is filled; a temporary string is
    /// kept.
    [[gnu::always_inline]] slot operator[](key name) noexcept {
        return detail::slot_access::make(doc_, scope_.serial, detail::label(name));
    }
    template <class String>
        requires std::same_as<String, std::string>
    slot operator[](String&& name) {
        return kept_key(name);
    }

    /// Writes the members of a described struct or the entries of a map into this object.
    template <class T>
    auto merge(T&& value);
    template <class T, class Pick>
    auto merge(T&& value, Pick pick);

    /// Runs `write(object&)` for each callable, all side by side, each awaiting what it needs; the pairs that each
    /// writes come in the order of the callables. See slot::each with concurrent.
    template <class... Write>
    auto concurrently(Write&&... write);

    /// Calls `write(members)` at once, in which `members(key, value)` writes plain values whole and nothing is awaited:
    /// the form for anything conditional. May write one chunk (at least 4 KiB), or the render fails (put_too_large).
    template <class Write>
    detail::written put(Write&& write);

    /// Splices ready pairs, `"a":1,"b":2`; empty ones write nothing. See slot::splice.
    detail::written splice(shared_bytes pairs);
    detail::text_written splice(std::string_view pairs);
    template <class String>
        requires std::same_as<String, std::string>
    detail::owned_text_written splice(String&& pairs) {
        return splice_owned(static_cast<String&&>(pairs));
    }

    /// Renders pairs as if they were written here, `write(object&)`, into a string. See slot::capture.
    template <class Write>
    auto capture(Write&& write);

private:
    friend class slot;
    friend struct detail::part_access;

    detail::owned_text_written splice_owned(std::string&& pairs);

    slot kept_key(std::string_view name);

    [[gnu::always_inline]] object(detail::document& doc, std::uint32_t parent, detail::label name) : container(doc) {
        doc_.open_scope(scope_, detail::scope_record::kind::object, parent, name, '{');
    }
    object(detail::document& doc, detail::open_part) : container(doc) {
        doc_.open_part(scope_, detail::scope_record::kind::object);
    }
    object(detail::document& doc, std::uint32_t parent, detail::label name, const detail::policies& own)
        : object(doc, parent, name) {
        doc.set_policies(scope_, own);
    }
};

} // namespace sluice
