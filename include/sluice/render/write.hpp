// How values are written: the functions behind slot, object and array.
#pragma once

#include <sluice/coro/task.hpp>
#include <sluice/encode/chrono_format.hpp>
#include <sluice/encode/escape.hpp>
#include <sluice/encode/scalar.hpp>
#include <sluice/render/array.hpp>
#include <sluice/render/document.hpp>
#include <sluice/render/object.hpp>
#include <sluice/render/slot.hpp>
#include <sluice/render/string_writer.hpp>
#include <sluice/render/text_written.hpp>
#include <sluice/render/value_kind.hpp>

#include <boost/describe/enum_to_string.hpp>
#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace sluice::detail {

// ---- scalars and strings -----------------------------------------------------------------------------------------

// Out of line: full chunks, misuse, options, values without a text.
void scalar_slow(document& doc, std::uint32_t serial, label name, std::nullptr_t value);
void scalar_slow(document& doc, std::uint32_t serial, label name, bool value);
void scalar_slow(document& doc, std::uint32_t serial, label name, std::int64_t value);
void scalar_slow(document& doc, std::uint32_t serial, label name, std::uint64_t value);
void scalar_slow(document& doc, std::uint32_t serial, label name, double value);
void scalar_slow(document& doc, std::uint32_t serial, label name, float value);

template <class T>
auto widened(T value) noexcept {
    if constexpr (std::same_as<T, bool> || std::same_as<T, std::nullptr_t> || encode::floating<T>)
        return value;
    else if constexpr (std::signed_integral<T>)
        return std::int64_t{value};
    else
        return std::uint64_t{value};
}

template <encode::scalar T>
[[gnu::always_inline]] inline void put_scalar(document& doc, std::uint32_t serial, label name, T value) {
    if (name.fast()) [[likely]] {
        if (char* to = doc.fast(serial, name.room() + encode::max_scalar_size<T>)) [[likely]] {
            bool has_text = true;
            if constexpr (encode::floating<T>)
                has_text = std::isfinite(value);
            if (has_text) [[likely]] {
                to = doc.fast_label(to, name);
                doc.fast_done(encode::write_scalar(to, value));
                return;
            }
        }
    }
    scalar_slow(doc, serial, name, widened(value));
}

// Returns true when the string has been written whole by the inline path.
[[gnu::always_inline]] inline bool put_text(document& doc, std::uint32_t serial, label name, std::string_view text) {
    if (name.fast()) [[likely]] {
        if (char* to = doc.fast(serial, name.room() + text.size() + 2)) [[likely]] {
            to = doc.fast_label(to, name);
            *to = '"';
            if (char* end = encode::copy_plain(to + 1, text.data(), text.size())) [[likely]] {
                *end = '"';
                doc.fast_done(end + 1);
                return true;
            }
        }
    }
    return false;
}

// A pointer's text: null is refused by null_text.
template <class T>
std::string_view text_of(const T& value) noexcept {
    if constexpr (std::is_array_v<T>) {
        // A literal's own NUL is not part of it; a buffer ends at its first.
        std::string_view all(value, std::extent_v<T>);
        return all.substr(0, all.find('\0'));
    } else {
        return std::string_view(value);
    }
}

template <class T>
constexpr bool is_null_text(const T& value) noexcept {
    if constexpr (std::is_pointer_v<T>)
        return value == nullptr;
    else
        return false;
}

// ---- described structs -------------------------------------------------------------------------------------------

template <class T>
using members_of = boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>;

constexpr label literal_label(const char* name) noexcept {
    const std::size_t size = std::string_view(name).size();
    switch (encode::classify_key(name, size)) {
    case encode::key_class::plain:
        return {name, size, key_kind::plain};
    case encode::key_class::html_sensitive:
        return {name, size, key_kind::html};
    default:
        return {name, size, key_kind::run_time};
    }
}

template <class Descriptor>
inline constexpr label member_label = literal_label(Descriptor::name);

template <class Name>
struct is_named {
    template <class Descriptor>
    using fn = boost::mp11::mp_bool<std::string_view(Descriptor::name) == Name::value>;
};

template <fixed_string Text>
struct name_constant {
    static constexpr std::string_view value = Text.view();
};

template <class T, class Name>
struct find_member {
    using index = boost::mp11::mp_find_if_q<members_of<T>, is_named<Name>>;
    static_assert(index::value < boost::mp11::mp_size<members_of<T>>::value,
                  "sluice: only<> or except<> names a member that the described struct does not have");
    using type = boost::mp11::mp_at<members_of<T>, index>;
};

template <class T, class Pick>
struct picked_members;
template <class T>
struct picked_members<T, all_members> {
    using type = members_of<T>;
};
template <class T, fixed_string... Names>
struct picked_members<T, only_members<Names...>> {
    using type = boost::mp11::mp_list<typename find_member<T, name_constant<Names>>::type...>;
};
template <class T, fixed_string... Names>
struct picked_members<T, except_members<Names...>> {
    template <class Descriptor>
    using is_left_out = boost::mp11::mp_bool<!except_members<Names...>::takes(Descriptor::name)>;
    using found = boost::mp11::mp_list<typename find_member<T, name_constant<Names>>::type...>;
    using type = boost::mp11::mp_remove_if<members_of<T>, is_left_out>;
};

template <class T, class Pick>
using picked = typename picked_members<T, Pick>::type;

template <class Pick>
inline constexpr bool is_pick = false;
template <>
inline constexpr bool is_pick<all_members> = true;
template <fixed_string... Names>
inline constexpr bool is_pick<only_members<Names...>> = true;
template <fixed_string... Names>
inline constexpr bool is_pick<except_members<Names...>> = true;

// ---- how large ---------------------------------------------------------------------------------------------------

inline constexpr std::size_t unbounded = std::size_t{1} << 40;

// An upper bound of what a value takes when written whole, or more than whole_limit: then it is written in parts, with
// awaits between.
template <class T, class Pick = all_members>
std::size_t size_bound(const T& value, Pick pick = {}) {
    constexpr value_kind kind = kind_of<T>;
    if constexpr (kind == value_kind::scalar || kind == value_kind::character) {
        return encode::max_double_size;
    } else if constexpr (kind == value_kind::time_point || kind == value_kind::duration) {
        return encode::max_timestamp_size + encode::max_duration_size;
    } else if constexpr (kind == value_kind::text) {
        if (is_null_text(value))
            return 0;
        const std::size_t size = text_of(value).size();
        return size < whole_limit ? size * encode::max_escape_growth + 2 : unbounded;
    } else if constexpr (kind == value_kind::enumeration) {
        return 512;
    } else if constexpr (kind == value_kind::optional) {
        return value ? size_bound(*value, pick) : 4;
    } else if constexpr (kind == value_kind::variant) {
        return std::visit([&](const auto& held) { return size_bound(held, pick); }, value);
    } else if constexpr (kind == value_kind::tuple) {
        return std::apply([](const auto&... parts) { return (size_bound(parts) + ... + (sizeof...(parts) + 2)); },
                          value);
    } else if constexpr (kind == value_kind::structure) {
        std::size_t size = 2;
        boost::mp11::mp_for_each<picked<T, Pick>>([&](auto descriptor) {
            using descriptor_type = decltype(descriptor);
            size += std::string_view(descriptor_type::name).size() * encode::max_escape_growth + 4;
            if (size <= whole_limit)
                size += size_bound(value.*descriptor_type::pointer);
        });
        return size;
    } else if constexpr (kind == value_kind::map) {
        std::size_t size = 2;
        for (const auto& [name, held] : value) {
            size += size_bound(name) + size_bound(held, pick) + 2;
            if (size > whole_limit)
                break;
        }
        return size;
    } else if constexpr (kind == value_kind::range && std::ranges::forward_range<const T>) {
        std::size_t size = 2;
        for (const auto& element : value) {
            size += size_bound(element, pick) + 1;
            if (size > whole_limit)
                break;
        }
        return size;
    } else {
        return unbounded;
    }
}

// ---- at once -----------------------------------------------------------------------------------------------------

template <class T, class Pick = all_members>
void write_now(document& doc, std::uint32_t serial, label name, const T& value, Pick pick = {});

// An absent value; returns true when it is left out.
inline bool write_absent(document& doc, std::uint32_t serial, label name) {
    if (name.has_key() && doc.json().absent() == absent_policy::omit) {
        doc.check_writable(serial, name);
        return true;
    }
    put_scalar(doc, serial, name, nullptr);
    return false;
}

void time_out_of_range(document& doc, label name);

template <class T>
void write_time(document& doc, std::uint32_t serial, label name, const T& value) {
    char text[encode::max_timestamp_size + encode::max_duration_size];
    char* end = nullptr;
    if constexpr (is_sys_time<T>)
        end = encode::write_timestamp(text, value, doc.json().timestamp_digits());
    else
        end = encode::write_duration(text, value);
    if (end == nullptr) {
        doc.check_writable(serial, name);
        time_out_of_range(doc, name);
    }
    doc.whole_text(serial, name, {text, static_cast<std::size_t>(end - text)});
}

template <class T>
void write_enumerator(document& doc, std::uint32_t serial, label name, const T& value) {
    const char* text = boost::describe::enum_to_string(value, nullptr);
    if (text == nullptr) {
        doc.check_writable(serial, name);
        doc.misuse(errc::enumerator_without_name, name, "the enumeration has no enumerator of this value");
    }
    doc.whole_text(serial, name, text);
}

// A member's value is written by value_now; the object's key is a label.
template <class T, class Pick>
void write_members_now(document& doc, std::uint32_t serial, const T& value, Pick) {
    boost::mp11::mp_for_each<picked<T, Pick>>([&](auto descriptor) {
        using descriptor_type = decltype(descriptor);
        write_now(doc, serial, member_label<descriptor_type>, value.*descriptor_type::pointer);
    });
}

/// An object or array that is opened and closed within one call.
class brief_scope {
public:
    brief_scope(document& doc, std::uint32_t serial, label name, scope_record::kind what) : doc_(doc) {
        doc_.open_scope(scope_, what, serial, name, what == scope_record::kind::object ? '{' : '[');
    }
    brief_scope(const brief_scope&) = delete;
    brief_scope& operator=(const brief_scope&) = delete;
    ~brief_scope() { doc_.close_scope(scope_, scope_.what == scope_record::kind::object ? '}' : ']'); }
    std::uint32_t serial() const noexcept { return scope_.serial; }
    void count() noexcept { ++scope_.count; }

private:
    document& doc_;
    scope_record scope_;
};

template <class T, class Pick>
[[gnu::always_inline]] inline void write_whole(document& doc, std::uint32_t serial, label name, const T& value,
                                               [[maybe_unused]] Pick pick) {
    constexpr value_kind kind = kind_of<T>;
    static_assert(check_value<T>());
    static_assert(kind != value_kind::generator, "sluice: an async_generator is awaited: it cannot be put");
    if constexpr (kind == value_kind::scalar) {
        if constexpr (encode::scalar<T>)
            put_scalar(doc, serial, name, value);
        else
            put_scalar(doc, serial, name, nullptr);
    } else if constexpr (kind == value_kind::text) {
        if (is_null_text(value))
            put_scalar(doc, serial, name, nullptr);
        else if (const std::string_view text = text_of(value); !put_text(doc, serial, name, text))
            doc.whole_text(serial, name, text);
    } else if constexpr (kind == value_kind::character) {
        doc.whole_text(serial, name, {&value, 1});
    } else if constexpr (kind == value_kind::time_point || kind == value_kind::duration) {
        write_time(doc, serial, name, value);
    } else if constexpr (kind == value_kind::enumeration) {
        write_enumerator(doc, serial, name, value);
    } else if constexpr (kind == value_kind::optional) {
        if (value)
            write_now(doc, serial, name, *value, pick);
        else
            write_absent(doc, serial, name);
    } else if constexpr (kind == value_kind::variant) {
        std::visit([&](const auto& held) { write_now(doc, serial, name, held, pick); }, value);
    } else if constexpr (kind == value_kind::tuple) {
        brief_scope list(doc, serial, name, scope_record::kind::array);
        std::apply([&](const auto&... parts) { (write_now(doc, list.serial(), label(), parts), ...); }, value);
    } else if constexpr (kind == value_kind::structure) {
        brief_scope json(doc, serial, name, scope_record::kind::object);
        write_members_now(doc, json.serial(), value, pick);
    } else if constexpr (kind == value_kind::map) {
        brief_scope json(doc, serial, name, scope_record::kind::object);
        for (const auto& [held_name, held] : value)
            if (pick.takes(text_of(held_name)))
                write_now(doc, json.serial(), label(key(text_of(held_name))), held);
    } else if constexpr (kind == value_kind::range) {
        brief_scope list(doc, serial, name, scope_record::kind::array);
        for (auto&& element : value) {
            write_now(doc, list.serial(), label(), static_cast<const std::ranges::range_value_t<const T>&>(element),
                      pick);
            list.count();
        }
    } else if constexpr (kind == value_kind::custom) {
        slot place = slot_access::make(doc, serial, name);
        using awaited = decltype(sluice_write(std::move(place), value));
        static_assert(std::same_as<awaited, written>,
                      "sluice: this type's sluice_write is to be awaited: it cannot be put");
        static_cast<void>(sluice_write(std::move(place), value));
    }
}

template <class T, class Pick>
void write_now(document& doc, std::uint32_t serial, label name, const T& value, Pick pick) {
    write_whole(doc, serial, name, value, pick);
}

// ---- in parts ----------------------------------------------------------------------------------------------------

template <class Held, class Pick>
coro::task<> write_value(slot out, Held held, Pick pick);

template <class T>
coro::task<> write_part(slot out, const T& value) {
    return write_value<const T&, all_members>(std::move(out), value, all_members());
}

// A described struct's members one by one, with awaits between.
template <class T>
struct member_writer {
    std::size_t (*bound)(const T& value);
    void (*now)(document& doc, std::uint32_t serial, const T& value);
    coro::task<> (*later)(document& doc, std::uint32_t serial, const T& value);
};

template <class T, class Descriptor>
inline constexpr member_writer<T> member_writer_of = {
    [](const T& value) { return size_bound(value.*Descriptor::pointer); },
    [](document& doc, std::uint32_t serial, const T& value) {
        using member = std::remove_cvref_t<decltype(value.*Descriptor::pointer)>;
        // A type that is to be awaited has no bound, so that this is never called for it.
        if constexpr (kind_of<member> != value_kind::custom && kind_of<member> != value_kind::generator)
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
        if (member.bound(value) <= whole_limit) {
            member.now(doc, serial, value);
            co_await written(doc);
        } else {
            co_await member.later(doc, serial, value);
        }
    }
}

template <class T, class Pick>
coro::task<> write_entries(document& doc, std::uint32_t serial, const T& map, Pick pick) {
    for (const auto& [name, value] : map) {
        const std::string_view text = text_of(name);
        if (!pick.takes(text))
            continue;
        const label member{key(text)};
        if (size_bound(value) <= whole_limit) {
            write_now(doc, serial, member, value);
            co_await written(doc);
        } else {
            co_await write_part(slot_access::make(doc, serial, member), value);
        }
    }
}

template <class Element, class Pick>
inline constexpr bool element_waits =
    kind_of<Element> == value_kind::custom || kind_of<Element> == value_kind::generator;

template <class T, class Pick>
coro::task<> write_element(document& doc, std::uint32_t serial, const T& element, Pick pick) {
    slot place = slot_access::make(doc, serial, label());
    return write_value<const T&, Pick>(std::move(place), element, pick);
}

// The elements of a range, each awaited before the next is taken from it.
template <class Range, class Pick>
coro::task<> write_elements(document& doc, std::uint32_t serial, Range& range, Pick pick) {
    using element_type = std::ranges::range_value_t<Range>;
    for (auto&& element : range) {
        const element_type& value = element;
        if constexpr (!element_waits<element_type, Pick>) {
            if (size_bound(value, pick) <= whole_limit) {
                write_now(doc, serial, label(), value, pick);
                doc.count_element();
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
        if (size_bound(value, pick) <= whole_limit) {
            const label name = slot_access::name(out);
            write_now(doc, slot_access::fill(out), name, value, pick);
            if (!name.has_key())
                doc.count_element();
            co_await written(doc);
        } else if constexpr (kind == value_kind::text) {
            co_await out(text_of(value));
        } else if constexpr (kind == value_kind::optional) {
            using inner = std::remove_cvref_t<decltype(*value)>;
            co_await write_value<const inner&, Pick>(std::move(out), *value, pick);
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
            co_await write_entries(doc, doc.serial(), value, pick);
        }
    }
}

// ---- what a write returns ----------------------------------------------------------------------------------------

// How a value given as T&& is held by a task: a reference to an lvalue, or the value.
template <class T>
using held_type = std::conditional_t<std::is_lvalue_reference_v<T>, T, std::remove_cvref_t<T>>;

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
    static_assert(check_value<U>());
    if constexpr (is_brief<U>) {
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
                put_scalar(doc, serial, name, nullptr);
                return text_written(doc);
            }
            return write_text_at<text_written>(doc, serial, name, text_of(value));
        }
    } else {
        return write_value<held_type<T>, all_members>(slot_access::make(doc, serial, name), static_cast<T&&>(value),
                                                      all_members());
    }
}

template <class T, class Pick>
coro::task<> write_picked_at(document& doc, std::uint32_t serial, label name, T&& value, Pick pick) {
    static_assert(is_pick<Pick>, "sluice: the members are chosen by only<...> or except<...>");
    return write_value<held_type<T>, Pick>(slot_access::make(doc, serial, name), static_cast<T&&>(value), pick);
}

// ---- each --------------------------------------------------------------------------------------------------------

template <class Range, class Write>
coro::task<> each_element(slot out, Range range, Write write) {
    sluice::array list = out.array();
    if constexpr (is_generator<std::remove_cvref_t<Range>>) {
        while (auto* element = co_await range.next())
            co_await std::invoke(write, list.next(), *element);
    } else {
        for (auto&& element : range)
            co_await std::invoke(write, list.next(), element);
    }
}

// ---- merge -------------------------------------------------------------------------------------------------------

template <class Held, class Pick>
coro::task<> merge_members(document& doc, std::uint32_t serial, Held held, Pick pick) {
    using T = std::remove_cvref_t<Held>;
    const T& value = held;
    doc.check_writable(serial, label());
    if constexpr (kind_of<T> == value_kind::structure)
        co_await write_members(doc, serial, value, pick);
    else
        co_await write_entries(doc, serial, value, pick);
}

template <class Held>
coro::task<> merge_elements(document& doc, std::uint32_t serial, Held held) {
    doc.check_writable(serial, label());
    if constexpr (is_generator<std::remove_cvref_t<Held>>)
        co_await write_generated(doc, serial, held, all_members());
    else
        co_await write_elements(doc, serial, held, all_members());
}

} // namespace sluice::detail

namespace sluice {

// ---- slot --------------------------------------------------------------------------------------------------------

template <class T>
auto slot::operator()(T&& value) {
    const std::uint32_t serial = std::exchange(serial_, 0);
    if constexpr (detail::is_brief<std::remove_cvref_t<T>> || detail::is_text_or_absent<std::remove_cvref_t<T>>) {
        if (!name_.has_key() && serial == doc_->serial())
            doc_->count_element();
        return detail::write_at(*doc_, serial, name_, static_cast<T&&>(value));
    } else {
        using held = detail::held_type<T>;
        serial_ = serial;
        return detail::write_value<held, detail::all_members>(std::move(*this), static_cast<T&&>(value),
                                                              detail::all_members());
    }
}

template <class T, class Pick>
auto slot::operator()(T&& value, Pick pick) {
    static_assert(detail::is_pick<Pick>, "sluice: the members are chosen by only<...> or except<...>");
    return detail::write_value<detail::held_type<T>, Pick>(std::move(*this), static_cast<T&&>(value), pick);
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

inline string_writer slot::string() {
    return string_writer(*doc_, std::exchange(serial_, 0), name_);
}

template <class Range, class Write>
auto slot::each(Range&& range, Write&& write) {
    return detail::each_element<detail::held_type<Range>, std::remove_cvref_t<Write>>(
        std::move(*this), static_cast<Range&&>(range), static_cast<Write&&>(write));
}

// ---- object ------------------------------------------------------------------------------------------------------

template <class T>
[[gnu::always_inline]] inline auto object::operator()(key name, T&& value) {
    return detail::write_at(doc_, scope_.serial, detail::label(name), static_cast<T&&>(value));
}

template <class T, class Pick>
auto object::operator()(key name, T&& value, Pick pick) {
    return detail::write_picked_at(doc_, scope_.serial, detail::label(name), static_cast<T&&>(value), pick);
}

template <class T>
auto object::merge(T&& value) {
    return merge(static_cast<T&&>(value), detail::all_members());
}

template <class T, class Pick>
auto object::merge(T&& value, Pick pick) {
    using U = std::remove_cvref_t<T>;
    static_assert(detail::kind_of<U> == detail::value_kind::structure || detail::kind_of<U> == detail::value_kind::map,
                  "sluice: a described struct or a map is merged into an object, and nothing else");
    static_assert(detail::is_pick<Pick>, "sluice: the members are chosen by only<...> or except<...>");
    return detail::merge_members<detail::held_type<T>, Pick>(doc_, scope_.serial, static_cast<T&&>(value), pick);
}

namespace detail {

/// What object::put hands to its callable.
class members_now {
public:
    members_now(document& doc, std::uint32_t serial) noexcept : doc_(doc), serial_(serial) {}
    members_now(const members_now&) = delete;
    members_now& operator=(const members_now&) = delete;

    template <class T>
    [[gnu::always_inline]] void operator()(key name, const T& value) {
        write_whole(doc_, serial_, label(name), value, all_members());
    }
    template <class T, class Pick>
    void operator()(key name, const T& value, Pick pick) {
        write_now(doc_, serial_, label(name), value, pick);
    }
    template <class T, class Pick = all_members>
    void merge(const T& value, Pick pick = {}) {
        write_members_now(doc_, serial_, value, pick);
    }

private:
    document& doc_;
    std::uint32_t serial_;
};

/// What array::put hands to its callable.
class elements_now {
public:
    elements_now(document& doc, scope_record& scope) noexcept : doc_(doc), scope_(scope) {}
    elements_now(const elements_now&) = delete;
    elements_now& operator=(const elements_now&) = delete;

    template <class T>
    void operator()(const T& value) {
        write_now(doc_, scope_.serial, label(), value);
        ++scope_.count;
    }
    template <class T, class Pick>
    void operator()(const T& value, Pick pick) {
        write_now(doc_, scope_.serial, label(), value, pick);
        ++scope_.count;
    }

private:
    document& doc_;
    scope_record& scope_;
};

} // namespace detail

template <class Write>
detail::written object::put(Write&& write) {
    doc_.check_writable(scope_.serial, detail::label());
    detail::document::put_scope limit(doc_);
    detail::members_now members(doc_, scope_.serial);
    std::invoke(write, members);
    limit.check();
    return detail::written(doc_);
}

// ---- array -------------------------------------------------------------------------------------------------------

template <class T>
[[gnu::always_inline]] inline auto array::list(T&& value) {
    ++scope_.count;
    return detail::write_at(doc_, scope_.serial, detail::label(), static_cast<T&&>(value));
}

template <class T, class Pick>
auto array::list(T&& value, Pick pick) {
    return detail::write_picked_at(doc_, scope_.serial, detail::label(), static_cast<T&&>(value), pick);
}

template <class Range>
auto array::merge(Range&& range) {
    using U = std::remove_cvref_t<Range>;
    static_assert(detail::kind_of<U> == detail::value_kind::range ||
                      detail::kind_of<U> == detail::value_kind::generator,
                  "sluice: a range or an async_generator is merged into an array, and nothing else");
    return detail::merge_elements<detail::held_type<Range>>(doc_, scope_.serial, static_cast<Range&&>(range));
}

template <class Write>
detail::written array::put(Write&& write) {
    doc_.check_writable(scope_.serial, detail::label());
    detail::document::put_scope limit(doc_);
    detail::elements_now elements(doc_, scope_);
    std::invoke(write, elements);
    limit.check();
    return detail::written(doc_);
}

} // namespace sluice
