// The definitions of slot's, object's and array's writes.
#pragma once

#include <sluice/gcc12.hpp>
#include <sluice/moved.hpp>
#include <sluice/render/array.hpp>
#include <sluice/render/document.hpp>
#include <sluice/render/object.hpp>
#include <sluice/render/put.hpp>
#include <sluice/render/put_scalar.hpp>
#include <sluice/render/slot.hpp>
#include <sluice/render/string_writer.hpp>
#include <sluice/render/text_written.hpp>
#include <sluice/render/value_kind.hpp>
#include <sluice/render/write_now.hpp>
#include <sluice/render/write_parts.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sluice::detail {

template <class T>
inline constexpr bool is_brief =
    kind_of<T> == value_kind::scalar || kind_of<T> == value_kind::character || kind_of<T> == value_kind::time_point ||
    kind_of<T> == value_kind::duration || kind_of<T> == value_kind::enumeration;

template <class T>
inline constexpr bool is_brief<std::optional<T>> = is_brief<T>;

template <class T>
inline constexpr bool is_text_or_absent = kind_of<T> == value_kind::text;
template <class T>
inline constexpr bool is_text_or_absent<std::optional<T>> = is_text_or_absent<T>;

template <class Awaitable>
[[gnu::always_inline]] inline Awaitable write_text_at(document& doc, std::uint32_t serial, label name,
                                                      std::string_view text) {
    if (put_text(doc, serial, name, text)) [[likely]]
        return Awaitable(doc);
    return Awaitable(doc, serial, name, text);
}

// Writes what can be written at once and returns what is to be awaited.
template <class T>
[[gnu::always_inline]] inline auto write_at(document& doc, std::uint32_t serial, label name, T&& value) {
    using U = std::remove_cvref_t<T>;
    if constexpr (is_moved<T>) {
        return write_at<taken_t<T>>(doc, serial, name, take<T>(value));
    } else if constexpr (check_value<U>() && is_brief<U>) {
        write_whole(doc, serial, name, value, all_members());
        return written(doc);
    } else if constexpr (is_text_or_absent<U>) {
        if constexpr (kind_of<U> == value_kind::optional) {
            using inner = std::remove_cvref_t<decltype(*value)>;
            using awaitable = decltype(write_at(doc, serial, name, *static_cast<T&&>(value)));
            static_assert(!std::is_same_v<inner, void>);
            if (value)
                return write_at(doc, serial, name, *static_cast<T&&>(value));
            write_absent(doc, serial, name);
            return awaitable(doc);
        } else if constexpr (std::same_as<U, std::string> && !std::is_reference_v<T>) {
            if (put_text(doc, serial, name, value)) [[likely]]
                return owned_text_written(doc);
            return owned_text_written(doc, serial, name, static_cast<T&&>(value));
        } else {
            if (is_null_text(value)) [[unlikely]] {
                write_absent(doc, serial, name);
                return text_written(doc);
            }
            return write_text_at<text_written>(doc, serial, name, text_of(value));
        }
    } else {
        return write_value<held_type<T>, all_members>(slot_access::make(doc, serial, name), take<T>(value),
                                                      all_members());
    }
}

inline coro::task<> write_absent_later(slot out, absent_policy absent) {
    document& doc = slot_access::doc(out);
    const label name = slot_access::name(out);
    write_absent(doc, slot_access::fill(out), name, absent);
    co_await written(doc);
}

template <class T>
auto write_unless_absent(document& doc, std::uint32_t serial, label name, T&& value, absent_policy absent) {
    static_assert(can_be_absent<T>());
    using awaitable = decltype(write_at(doc, serial, name, static_cast<T&&>(value)));
    if (!is_absent(take<T>(value)))
        return write_at(doc, serial, name, static_cast<T&&>(value));
    if constexpr (std::is_constructible_v<awaitable, document&>) {
        write_absent(doc, serial, name, absent);
        return awaitable(doc);
    } else {
        return write_absent_later(slot_access::make(doc, serial, name), absent);
    }
}

template <class T, class Pick>
coro::task<> write_picked_at(document& doc, std::uint32_t serial, label name, T&& value, Pick pick) {
    static_assert(is_pick<Pick>, "sluice: the members are chosen by only<...> or except<...>");
    return write_value<held_type<T>, Pick>(slot_access::make(doc, serial, name), take<T>(value), pick);
}

} // namespace sluice::detail

namespace sluice {

// ---- slot ----

template <class T>
auto slot::operator()(T&& value) {
    SLUICE_REFUSE_RISKY_VALUE(T);
    const std::uint32_t serial = std::exchange(serial_, 0);
    if constexpr (detail::is_brief<std::remove_cvref_t<T>> || detail::is_text_or_absent<std::remove_cvref_t<T>>) {
        const detail::document::count_one counted(*doc_, serial);
        return detail::write_at(*doc_, serial, name_, static_cast<T&&>(value));
    } else {
        using held = detail::held_type<T>;
        serial_ = serial;
        return detail::write_value<held, detail::all_members>(std::move(*this), detail::take<T>(value),
                                                              detail::all_members());
    }
}

template <class T, class Pick>
auto slot::operator()(T&& value, Pick pick) {
    SLUICE_REFUSE_RISKY_VALUE(T);
    static_assert(detail::is_pick<Pick>, "sluice: the members are chosen by only<...> or except<...>");
    return detail::write_value<detail::held_type<T>, Pick>(std::move(*this), detail::take<T>(value), pick);
}

template <class T>
auto slot::operator()(T&& value, absent_policy absent) {
    SLUICE_REFUSE_RISKY_VALUE(T);
    const std::uint32_t serial = std::exchange(serial_, 0);
    if constexpr (detail::is_text_or_absent<detail::taken_t<T>> || detail::is_brief<detail::taken_t<T>>) {
        const detail::document::count_one counted(*doc_, serial);
        return detail::write_unless_absent(*doc_, serial, name_, static_cast<T&&>(value), absent);
    } else { // a task counts it, and takes the slot with its key
        static_assert(detail::can_be_absent<T>());
        serial_ = serial;
        if (detail::is_absent(detail::take<T>(value)))
            return detail::write_absent_later(std::move(*this), absent);
        return detail::write_value<detail::held_type<T>, detail::all_members>(std::move(*this), detail::take<T>(value),
                                                                              detail::all_members());
    }
}

inline detail::written slot::null() {
    return (*this)(nullptr);
}

[[gnu::always_inline]] inline sluice::object slot::object() {
    return sluice::object(*doc_, std::exchange(serial_, 0), name_);
}

[[gnu::always_inline]] inline sluice::array slot::array() {
    return sluice::array(*doc_, std::exchange(serial_, 0), name_);
}

namespace detail {

template <class... Policy>
policies with_policies(const document& doc, Policy&&... policy) {
    static_assert(!(std::is_same_v<Policy, key_format> || ...),
                  "sluice: a key_format must outlive the render: declare it static");
    policies all = doc.in_force();
    (all.set(policy), ...);
    static_cast<void>(all.keys->table()); // makes it, which may throw: nothing has been written
    return all;
}

} // namespace detail

template <class... Policy>
    requires(sizeof...(Policy) != 0 && (scope_policy<std::remove_cvref_t<Policy>> && ...))
sluice::object slot::object(Policy&&... policy) {
    const detail::policies own = detail::with_policies(*doc_, static_cast<Policy&&>(policy)...);
    return sluice::object(*doc_, std::exchange(serial_, 0), name_, own);
}

template <class... Policy>
    requires(sizeof...(Policy) != 0 && (scope_policy<std::remove_cvref_t<Policy>> && ...))
sluice::array slot::array(Policy&&... policy) {
    const detail::policies own = detail::with_policies(*doc_, static_cast<Policy&&>(policy)...);
    return sluice::array(*doc_, std::exchange(serial_, 0), name_, own);
}

inline string_writer slot::string() {
    return string_writer(*doc_, std::exchange(serial_, 0), name_);
}

template <class Range, class Write>
auto slot::each(Range&& range, Write&& write) {
    SLUICE_REFUSE_RISKY_VALUE(Range);
    SLUICE_REFUSE_RISKY_CALLABLE(Write);
    return detail::each_element<detail::held_type<Range>, detail::taken_t<Write>>(
        std::move(*this), detail::take<Range>(range), detail::take<Write>(write));
}

// ---- object ----

template <class T>
[[gnu::always_inline]] inline auto object::operator()(key name, T&& value) {
    SLUICE_REFUSE_RISKY_VALUE(T);
    return detail::write_at(doc_, scope_.serial, detail::label(name), static_cast<T&&>(value));
}

template <class T, class Pick>
auto object::operator()(key name, T&& value, Pick pick) {
    SLUICE_REFUSE_RISKY_VALUE(T);
    return detail::write_picked_at(doc_, scope_.serial, detail::label(name), static_cast<T&&>(value), pick);
}

template <class T>
auto object::operator()(key name, T&& value, absent_policy absent) {
    SLUICE_REFUSE_RISKY_VALUE(T);
    return detail::write_unless_absent(doc_, scope_.serial, detail::label(name), static_cast<T&&>(value), absent);
}

template <class T>
auto object::merge(T&& value) {
    return merge(static_cast<T&&>(value), detail::all_members());
}

template <class T, class Pick>
auto object::merge(T&& value, Pick pick) {
    SLUICE_REFUSE_RISKY_VALUE(T);
    using U = detail::taken_t<T>;
    static_assert(detail::can_be_merged<object, U>, SLUICE_MERGED_INTO_OBJECT);
    static_assert(detail::is_pick<Pick>, "sluice: the members are chosen by only<...> or except<...>");
    return detail::merge_members<detail::held_type<T>, Pick>(doc_, scope_.serial, detail::take<T>(value), pick,
                                                             detail::unstarted(doc_, "a merge was"));
}

template <class Write>
detail::written object::put(Write&& write) {
    SLUICE_REFUSE_RISKY_CALLABLE(Write);
    doc_.check_writable(scope_.serial, detail::label());
    detail::document::put_scope limit(doc_);
    detail::members_now members(doc_, scope_.serial);
    write(members);
    limit.check();
    return detail::written(doc_);
}

// ---- array ----

template <class T>
[[gnu::always_inline]] inline auto array::list(T&& value) {
    SLUICE_REFUSE_RISKY_VALUE(T);
    using U = std::remove_cvref_t<T>;
    if constexpr (detail::is_brief<U> || detail::is_text_or_absent<U>) {
        const detail::element_begun counted(scope_);
        return detail::write_at(doc_, scope_.serial, detail::label(), static_cast<T&&>(value));
    } else { // a task counts it, and fails the render when it is dropped
        return detail::write_at(doc_, scope_.serial, detail::label::of_listed(), static_cast<T&&>(value));
    }
}

template <class T, class Pick>
auto array::list(T&& value, Pick pick) {
    SLUICE_REFUSE_RISKY_VALUE(T);
    return detail::write_picked_at(doc_, scope_.serial, detail::label::of_listed(), static_cast<T&&>(value), pick);
}

template <class Range>
auto array::merge(Range&& range) {
    SLUICE_REFUSE_RISKY_VALUE(Range);
    using U = detail::taken_t<Range>;
    static_assert(detail::can_be_merged<array, U>, SLUICE_MERGED_INTO_ARRAY);
    return detail::merge_elements<detail::held_type<Range>>(doc_, scope_.serial, detail::take<Range>(range),
                                                            detail::unstarted(doc_, "a merge was"));
}

template <class Write>
detail::written array::put(Write&& write) {
    SLUICE_REFUSE_RISKY_CALLABLE(Write);
    doc_.check_writable(scope_.serial, detail::label());
    detail::document::put_scope limit(doc_);
    detail::elements_now elements(doc_, scope_);
    write(elements);
    limit.check();
    return detail::written(doc_);
}

} // namespace sluice
