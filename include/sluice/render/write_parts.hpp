// Writing a value in parts, with awaits between them: ranges, generators, and whatever is large.
#pragma once

#include <sluice/coro/task.hpp>
#include <sluice/render/array.hpp>
#include <sluice/render/document.hpp>
#include <sluice/render/members.hpp>
#include <sluice/render/object.hpp>
#include <sluice/render/size_bound.hpp>
#include <sluice/render/slot.hpp>
#include <sluice/render/value_kind.hpp>
#include <sluice/render/write_now.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

// g++ 12 warns of the frame of a coroutine template whose argument is a local type, wrongly: frames have no linkage.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif

namespace sluice::detail {

template <class Held, class Pick>
coro::task<> write_value(slot out, Held held, Pick pick);

template <class T>
coro::task<> write_part(slot out, const T& value) {
    return write_value<const T&, all_members>(std::move(out), value, all_members());
}

// A described struct's members one by one, with awaits between.
template <class T>
struct member_writer {
    bool (*fits)(const document& doc, const T& value);
    void (*now)(document& doc, std::uint32_t serial, const T& value);
    coro::task<> (*later)(document& doc, std::uint32_t serial, const T& value);
};

template <class T, class Descriptor>
inline constexpr member_writer<T> member_writer_of = {
    [](const document& doc, const T& value) {
        if constexpr (holds_awaited<std::remove_cvref_t<decltype(value.*Descriptor::pointer)>>())
            return false;
        else
            return fits_whole(doc, member_label<Descriptor>, value.*Descriptor::pointer);
    },
    [](document& doc, std::uint32_t serial, const T& value) {
        using member = std::remove_cvref_t<decltype(value.*Descriptor::pointer)>;
        if constexpr (!holds_awaited<member>()) // where it does, nothing fits
            write_now(doc, serial, member_label<Descriptor>, value.*Descriptor::pointer);
    },
    [](document& doc, std::uint32_t serial, const T& value) {
        return write_part(slot_access::make(doc, serial, member_label<Descriptor>), value.*Descriptor::pointer);
    },
};

template <class T, class List>
struct member_table;
template <class T, template <class...> class List, class... Descriptors>
struct member_table<T, List<Descriptors...>> {
    static constexpr std::array<member_writer<T>, sizeof...(Descriptors)> writers = {
        member_writer_of<T, Descriptors>...};
};

template <class T, class Pick>
coro::task<> write_members(document& doc, std::uint32_t serial, const T& value, Pick) {
    for (const member_writer<T>& member : member_table<T, picked<T, Pick>>::writers) {
        if (member.fits(doc, value)) {
            member.now(doc, serial, value);
            co_await written(doc);
        } else {
            co_await member.later(doc, serial, value);
        }
    }
}

template <class T, class Pick>
coro::task<> write_entries(document& doc, std::uint32_t serial, const T& map, Pick pick, key_kind kind) {
    for (const auto& [name, value] : map) {
        const std::string_view text = text_of(name);
        if (!pick.takes(text))
            continue;
        const label member = entry_label(text, kind);
        if constexpr (!holds_awaited<typename T::mapped_type>()) {
            if (fits_whole(doc, member, value)) {
                write_now(doc, serial, member, value);
                co_await written(doc);
                continue;
            }
        }
        co_await write_part(slot_access::make(doc, serial, member), value);
    }
}

template <class T, class Pick>
coro::task<> write_element(document& doc, std::uint32_t serial, const T& element, Pick pick) {
    slot place = slot_access::make(doc, serial, label());
    return write_value<const T&, Pick>(std::move(place), element, pick);
}

// The elements of a range, each awaited before the next is taken from it.
template <class Range, class Pick>
coro::task<> write_elements(document& doc, std::uint32_t serial, Range& range, Pick pick) {
    using element_type = range_value<Range>;
    for (auto&& element : range) {
        const element_type& value = element;
        if constexpr (!holds_awaited<element_type>()) {
            if (fits_whole(doc, label(), value, pick)) {
                {
                    const document::count_one counted(doc, serial);
                    write_now(doc, serial, label(), value, pick);
                }
                if (!doc.open())
                    co_await written(doc);
                continue;
            }
        }
        co_await write_element(doc, serial, value, pick);
    }
    co_await written(doc);
}

template <class Generator, class Pick>
coro::task<> write_generated(document& doc, std::uint32_t serial, Generator& source, Pick pick) {
    while (auto* element = co_await source.next())
        co_await write_element(doc, serial, *element, pick);
}

template <class T>
struct tuple_writer {
    template <std::size_t I>
    static coro::task<> part(document& doc, std::uint32_t serial, const T& value) {
        return write_element(doc, serial, std::get<I>(value), all_members());
    }
    using function = coro::task<> (*)(document&, std::uint32_t, const T&);
    template <std::size_t... I>
    static constexpr std::array<function, sizeof...(I)> make(std::index_sequence<I...>) {
        return {&part<I>...};
    }
    static constexpr auto parts = make(std::make_index_sequence<std::tuple_size_v<T>>());
};

// Any value, in parts with awaits between where it is large. `Held` is a reference to an lvalue, or keeps a temporary.
template <class Held, class Pick>
coro::task<> write_value(slot out, Held held, [[maybe_unused]] Pick pick) {
    using T = std::remove_cvref_t<Held>;
    constexpr value_kind kind = kind_of<T>;
    static_assert(check_value<T>());
    document& doc = slot_access::doc(out);
    slot_access::begin(out);
    if constexpr (kind == value_kind::custom) {
        co_await sluice_write(std::move(out), std::as_const(held));
    } else if constexpr (kind == value_kind::generator) {
        sluice::array list = out.array();
        co_await write_generated(doc, doc.serial(), held, pick);
    } else if constexpr (kind == value_kind::range) {
        sluice::array list = out.array();
        co_await write_elements(doc, doc.serial(), held, pick);
    } else {
        const T& value = held;
        if constexpr (!holds_awaited<T>()) {
            const label name = slot_access::name(out);
            if (fits_whole(doc, name, value, pick)) {
                {
                    const std::uint32_t serial = slot_access::fill(out);
                    const document::count_one counted(doc, serial);
                    write_now(doc, serial, name, value, pick);
                }
                co_await written(doc);
                co_return;
            }
        }
        if constexpr (kind == value_kind::text) {
            co_await out(text_of(value));
        } else if constexpr (kind == value_kind::optional) {
            using inner = std::remove_cvref_t<decltype(*value)>;
            if (value) {
                co_await write_value<const inner&, Pick>(std::move(out), *value, pick);
            } else {
                const label name = slot_access::name(out);
                const std::uint32_t serial = slot_access::fill(out);
                write_absent(doc, serial, name);
                co_await written(doc);
            }
        } else if constexpr (kind == value_kind::variant) {
            co_await std::visit(
                [&](const auto& inner) { return write_value<decltype(inner), Pick>(std::move(out), inner, pick); },
                value);
        } else if constexpr (kind == value_kind::tuple) {
            sluice::array list = out.array();
            const std::uint32_t serial = doc.serial();
            for (const auto part : tuple_writer<T>::parts)
                co_await part(doc, serial, value);
        } else if constexpr (kind == value_kind::structure) {
            sluice::object json = out.object();
            co_await write_members(doc, doc.serial(), value, pick);
        } else if constexpr (kind == value_kind::map) {
            sluice::object json = out.object();
            co_await write_entries(doc, doc.serial(), value, pick, entry_keys<Pick>);
        }
    }
}

/// What each hands to its callable: an element as the range gives it.
template <class Range>
struct each_element_type {
    using type = std::remove_reference_t<decltype(*std::ranges::begin(std::declval<Range&>()))>;
};
template <class Range>
    requires is_generator<std::remove_cvref_t<Range>>
struct each_element_type<Range> {
    using type = std::remove_pointer_t<decltype(std::declval<Range&>().next().await_resume())>;
};
template <class Range>
using each_value = typename each_element_type<Range>::type;

/// Whether each calls its callable with the element alone, or with its position too.
template <class Range, class Write>
consteval bool check_each() {
    using element_type = each_value<std::remove_reference_t<Range>>;
    constexpr bool alone = std::invocable<Write&, slot, element_type&>;
    constexpr bool placed = std::invocable<Write&, slot, element_type&, position>;
    static_assert(alone || placed, "sluice: each calls write(slot, element) for each element of the range, or "
                                   "write(slot, element, position)");
    if constexpr (alone) {
        static_assert(!std::is_void_v<std::invoke_result_t<Write&, slot, element_type&>>, SLUICE_NOTHING_TO_AWAIT);
    } else if constexpr (placed) {
        static_assert(!std::is_void_v<std::invoke_result_t<Write&, slot, element_type&, position>>,
                      SLUICE_NOTHING_TO_AWAIT);
        static_assert(forward_range<std::remove_reference_t<Range>>,
                      "sluice: whether an element is the last is known of a range that can be read again only");
    }
    return alone || placed;
}

template <class Range, class Write>
inline constexpr bool wants_position = !std::invocable<Write&, slot, each_value<std::remove_reference_t<Range>>&>;

/// Calls the user's callable for an element.
template <class Write, class Element>
decltype(auto) call_each(Write& write, slot place, Element& element, [[maybe_unused]] position where) {
    if constexpr (std::invocable<Write&, slot, Element&>)
        return write(std::move(place), element);
    else
        return write(std::move(place), element, where);
}

template <class Range, class Write>
coro::task<> each_element(slot out, Range range, Write write) {
    if constexpr (check_each<Range, Write>()) {
        sluice::array list = out.array();
        if constexpr (is_generator<std::remove_cvref_t<Range>>) {
            while (auto* element = co_await range.next())
                co_await write(list.next(), *element);
        } else if constexpr (wants_position<Range, Write>) {
            const auto end = std::ranges::end(range);
            std::size_t index = 0;
            for (auto at = std::ranges::begin(range); at != end;) {
                auto&& element = *at;
                ++at;
                const position where(index++, at == end);
                co_await write(list.next(), element, where);
            }
        } else {
            for (auto&& element : range)
                co_await write(list.next(), element);
        }
    }
}

/// What a merge, or children side by side, hold until they are started. Dropped before that, they fail the render.
class unstarted {
public:
    /// `what` begins the message: "a merge was".
    unstarted(document& doc, const char* what) noexcept : doc_(&doc), what_(what) {}
    unstarted(unstarted&& other) noexcept : doc_(std::exchange(other.doc_, nullptr)), what_(other.what_) {}
    unstarted& operator=(unstarted&&) = delete;
    ~unstarted() {
        if (doc_ != nullptr && doc_->exceptions_in_flight() == 0)
            doc_->keep_misuse(errc::value_not_awaited, label::of_root(),
                              std::string(what_) + " dropped before it was awaited");
    }
    void begun() noexcept { doc_ = nullptr; }

private:
    document* doc_;
    const char* what_;
};

/// Whether a value's members or elements can stand in a container: object or array. A variant's can, where one of its
/// alternatives' can; that another is held is found when it is merged.
template <class Container, class T>
inline constexpr bool can_be_merged =
    std::same_as<Container, object> ? kind_of<T> == value_kind::structure || kind_of<T> == value_kind::map
                                    : kind_of<T> == value_kind::range || kind_of<T> == value_kind::generator;
template <class Container, class... T>
inline constexpr bool can_be_merged<Container, std::variant<T...>> = (can_be_merged<Container, T> || ...);

[[noreturn]] void merge_of_wrong_kind(document& doc, const char* container);

template <class T, class Pick>
coro::task<> merge_parts(document& doc, std::uint32_t serial, const T& value, Pick pick) {
    if constexpr (kind_of<T> == value_kind::structure)
        co_await write_members(doc, serial, value, pick);
    else if constexpr (kind_of<T> == value_kind::map)
        co_await write_entries(doc, serial, value, pick, key_kind::run_time);
    else if constexpr (can_be_merged<object, T>)
        co_await std::visit([&](const auto& held) { return merge_parts(doc, serial, held, pick); }, value);
    else
        merge_of_wrong_kind(doc, "an object");
}

template <class Held, class Pick>
coro::task<> merge_members(document& doc, std::uint32_t serial, Held held, Pick pick, unstarted start) {
    start.begun();
    doc.check_writable(serial, label());
    co_await merge_parts(doc, serial, std::as_const(held), pick);
}

template <class T>
coro::task<> merge_range(document& doc, std::uint32_t serial, T& value) {
    if constexpr (kind_of<T> == value_kind::generator)
        co_await write_generated(doc, serial, value, all_members());
    else if constexpr (kind_of<T> == value_kind::range)
        co_await write_elements(doc, serial, value, all_members());
    else if constexpr (can_be_merged<array, std::remove_const_t<T>>)
        co_await std::visit([&](auto& held) { return merge_range(doc, serial, held); }, value);
    else
        merge_of_wrong_kind(doc, "an array");
}

template <class Held>
coro::task<> merge_elements(document& doc, std::uint32_t serial, Held held, unstarted start) {
    start.begun();
    doc.check_writable(serial, label());
    co_await merge_range(doc, serial, held);
}

} // namespace sluice::detail

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
