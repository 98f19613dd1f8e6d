// array: an open JSON array.
#pragma once

#include <sluice/render/container.hpp>
#include <sluice/render/document.hpp>
#include <sluice/render/slot.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace sluice {

/// A scope, like object.
class array : public detail::container {
public:
    [[gnu::always_inline]] ~array() { doc_.close_scope(scope_, ']'); }

    /// The slot of the next element. Left unfilled, there is no such element.
    [[gnu::always_inline]] slot next() noexcept {
        return detail::slot_access::make(doc_, scope_.serial, detail::label());
    }

    /// Writes one element; what may be a value, and what is written when, says slot::operator().
    template <class T>
    auto list(T&& value);
    template <class T, class Pick>
    auto list(T&& value, Pick pick);

    /// Writes the elements of a range, or of an async_generator, into this array.
    template <class Range>
    auto merge(Range&& range);

    /// Calls `write(elements)` at once, in which `elements(value)` writes plain values whole. See object::put.
    template <class Write>
    detail::written put(Write&& write);

    /// Splices ready elements, `1,{"a":2}`; empty ones write nothing. See slot::splice.
    detail::written splice(shared_bytes elements);
    detail::text_written splice(std::string_view elements);
    template <class String>
        requires std::same_as<String, std::string>
    detail::owned_text_written splice(String&& elements) {
        return splice_owned(static_cast<String&&>(elements));
    }

    /// Renders elements as if they were written here, `write(array&)`, into a string. See slot::capture.
    template <class Write>
    auto capture(Write&& write);

private:
    friend class slot;
    friend struct detail::part_access;

    detail::owned_text_written splice_owned(std::string&& elements);

    [[gnu::always_inline]] array(detail::document& doc, std::uint32_t parent, detail::label name) : container(doc) {
        doc_.open_scope(scope_, detail::scope_record::kind::array, parent, name, '[');
    }
    array(detail::document& doc, detail::open_part) : container(doc) {
        doc_.open_part(scope_, detail::scope_record::kind::array);
    }
    array(detail::document& doc, std::uint32_t parent, detail::label name, const detail::policies& own)
        : array(doc, parent, name) {
        doc.set_policies(scope_, own);
    }
};

} // namespace sluice
