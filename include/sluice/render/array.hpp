// array: an open JSON array.
#pragma once

#include <sluice/render/document.hpp>
#include <sluice/render/slot.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace sluice {

/// A scope, like object.
class array {
public:
    array(const array&) = delete;
    array& operator=(const array&) = delete;
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

    /// Awaits that the sink has taken every byte written so far: with a stream, that the operating system has them, and
    /// the head before them; in a child beside others, or in a capture, that the document has them. Not after each
    /// element: a flush of a few bytes costs a system call. Cancellation and failure: as of a write.
    detail::drained flush() noexcept { return {doc_, detail::wait_for::flush}; }

    /// Renders elements as if they were written here, `write(array&)`, into a string. See slot::capture.
    template <class Write>
    auto capture(Write&& write);
    /// See slot.
    bool in_fragment() const noexcept { return doc_.in_fragment(); }
    void not_cacheable(std::string_view why) const { doc_.refuse_fragment(why); }

    /// The object of type T (const T, where it was given as const) that with_context has given to the render. Without
    /// one: the error no_context.
    template <class T>
    T& context() const {
        return doc_.template get_context<T>();
    }
    /// The same, or null.
    template <class T>
    T* find_context() const noexcept {
        return doc_.template find_context<T>();
    }

private:
    friend class slot;
    friend struct detail::part_access;

    detail::owned_text_written splice_owned(std::string&& elements);

    [[gnu::always_inline]] array(detail::document& doc, std::uint32_t parent, detail::label name) : doc_(doc) {
        doc_.open_scope(scope_, detail::scope_record::kind::array, parent, name, '[');
    }
    array(detail::document& doc, detail::open_part) : doc_(doc) {
        doc_.open_part(scope_, detail::scope_record::kind::array);
    }
    array(detail::document& doc, std::uint32_t parent, detail::label name, const detail::policies& own)
        : array(doc, parent, name) {
        doc.set_policies(scope_, own);
    }

    detail::document& doc_;
    detail::scope_record scope_;
};

} // namespace sluice
