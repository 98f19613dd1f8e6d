// What can be written as a value, and as what.
#pragma once

#include <sluice/coro/async_generator.hpp>
#include <sluice/duration.hpp>
#include <sluice/encode/scalar.hpp>

#include <boost/describe/enumerators.hpp>
#include <boost/describe/members.hpp>

#include <concepts>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace sluice {

class slot;

namespace detail {

template <class T>
inline constexpr bool is_instance_of_optional = false;
template <class T>
inline constexpr bool is_instance_of_optional<std::optional<T>> = true;

template <class T>
inline constexpr bool is_instance_of_variant = false;
template <class... T>
inline constexpr bool is_instance_of_variant<std::variant<T...>> = true;

template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool is_tuple<std::pair<A, B>> = true;

template <class T>
inline constexpr bool is_text = false;
template <class Traits, class Allocator>
inline constexpr bool is_text<std::basic_string<char, Traits, Allocator>> = true;
template <class Traits>
inline constexpr bool is_text<std::basic_string_view<char, Traits>> = true;
template <>
inline constexpr bool is_text<const char*> = true;
template <>
inline constexpr bool is_text<char*> = true;
template <std::size_t N>
inline constexpr bool is_text<char[N]> = true;

template <class T>
inline constexpr bool is_generator = false;
template <class T>
inline constexpr bool is_generator<coro::async_generator<T>> = true;

template <class T>
concept described_struct = std::is_class_v<T> && boost::describe::has_describe_members<T>::value;

template <class T>
concept described_enum = std::is_enum_v<T> && boost::describe::has_describe_enumerators<T>::value;

// What std::ranges::input_range and range_value_t say, by <iterator> alone: <ranges> is slow to compile.
template <class T>
concept input_range = requires(T& range) {
    { std::ranges::begin(range) } -> std::input_iterator;
    std::ranges::end(range);
};
template <class T>
concept forward_range = input_range<T> && requires(T& range) {
    { std::ranges::begin(range) } -> std::forward_iterator;
};
template <class T>
using range_value = std::iter_value_t<decltype(std::ranges::begin(std::declval<T&>()))>;

template <class T>
concept map_like = input_range<T> && requires {
    typename T::key_type;
    typename T::mapped_type;
};

/// The customization point: a function `sluice_write(sluice::slot, const T&)`, found by argument-dependent lookup, that
/// fills the slot and returns what is to be awaited: a task, or the write itself.
template <class T>
concept custom_value = requires(slot& out, const T& value) { sluice_write(static_cast<slot&&>(out), value); };

enum class value_kind {
    unsupported,
    custom,
    scalar,
    character,
    text,
    optional,
    variant,
    enumeration,
    time_point,
    duration,
    tuple,
    map,
    range,
    generator,
    structure,
};

template <class T>
consteval value_kind find_kind() {
    if constexpr (custom_value<T>)
        return value_kind::custom;
    else if constexpr (encode::scalar<T>)
        return value_kind::scalar;
    else if constexpr (std::same_as<T, std::nullopt_t> || std::same_as<T, std::monostate>)
        return value_kind::scalar;
    else if constexpr (std::same_as<T, char>)
        return value_kind::character;
    else if constexpr (is_text<T>)
        return value_kind::text;
    else if constexpr (is_instance_of_optional<T>)
        return value_kind::optional;
    else if constexpr (is_instance_of_variant<T>)
        return value_kind::variant;
    else if constexpr (described_enum<T>)
        return value_kind::enumeration;
    else if constexpr (time_point_like<T>)
        return value_kind::time_point;
    else if constexpr (duration_like<T>)
        return value_kind::duration;
    else if constexpr (is_tuple<T>)
        return value_kind::tuple;
    else if constexpr (is_generator<T>)
        return value_kind::generator;
    else if constexpr (described_struct<T>)
        return value_kind::structure;
    else if constexpr (map_like<T>)
        return value_kind::map;
    else if constexpr (input_range<T> || input_range<const T>)
        return value_kind::range;
    else
        return value_kind::unsupported;
}

template <class T>
inline constexpr value_kind kind_of = find_kind<std::remove_cvref_t<T>>();

/// Whether a value of type T is, or holds, something that is only ever awaited: then it is never written whole.
template <class T, class... Seen>
consteval bool holds_awaited();

template <class List, class... Seen>
struct any_awaited;
template <template <class...> class List, class... T, class... Seen>
struct any_awaited<List<T...>, Seen...> {
    static constexpr bool value = (holds_awaited<std::remove_cvref_t<T>, Seen...>() || ...);
};
template <class T, class List, class... Seen>
struct any_member_awaited;
template <class T, template <class...> class List, class... Descriptor, class... Seen>
struct any_member_awaited<T, List<Descriptor...>, Seen...> {
    static constexpr bool value =
        (holds_awaited<std::remove_cvref_t<decltype(std::declval<const T&>().*Descriptor::pointer)>, Seen...>() || ...);
};

template <class T, class... Seen>
consteval bool holds_awaited() {
    constexpr value_kind kind = find_kind<T>();
    if constexpr ((std::same_as<T, Seen> || ...)) // a struct that holds its like
        return false;
    else if constexpr (kind == value_kind::custom || kind == value_kind::generator)
        return true;
    else if constexpr (kind == value_kind::optional)
        return holds_awaited<std::remove_cvref_t<typename T::value_type>, T, Seen...>();
    else if constexpr (kind == value_kind::variant || kind == value_kind::tuple)
        return any_awaited<T, Seen...>::value;
    else if constexpr (kind == value_kind::map)
        return holds_awaited<std::remove_cvref_t<typename T::mapped_type>, T, Seen...>();
    else if constexpr (kind == value_kind::range && forward_range<const T>)
        return holds_awaited<range_value<const T>, T, Seen...>();
    else if constexpr (kind == value_kind::range)
        return true; // can be read once only
    else if constexpr (kind == value_kind::structure)
        return any_member_awaited<
            T, boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>, T,
            Seen...>::value;
    else
        return false;
}

/// Says why a type is refused. Always true, or does not compile.
template <class T>
consteval bool check_value() {
    using U = std::remove_cvref_t<T>;
    constexpr bool supported = kind_of<U> != value_kind::unsupported;
    if constexpr (kind_of<U> == value_kind::map)
        static_assert(is_text<typename U::key_type>, "sluice: the keys of a map that is an object are strings");
    static_assert(supported || !std::is_pointer_v<U>,
                  "sluice: a pointer other than const char* is not a value: dereference it, or write null for null");
    static_assert(supported || !std::is_enum_v<U>,
                  "sluice: an enum needs described names (BOOST_DESCRIBE_ENUM) or a cast to its integer");
    static_assert(supported || std::is_pointer_v<U> || std::is_enum_v<U> || !std::same_as<U, long double>,
                  "sluice: long double has no portable text: convert it to double");
    static_assert(supported || std::is_pointer_v<U> || std::is_enum_v<U> || std::same_as<U, long double>,
                  "sluice: this type is not a value: describe it (BOOST_DESCRIBE_STRUCT), give it a function "
                  "sluice_write(sluice::slot, const T&), or convert it to a type that is a value; types that only "
                  "convert to one are not converted");
    return true;
}

} // namespace detail

} // namespace sluice
