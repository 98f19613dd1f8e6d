// The members of described structs, and those that only<> and except<> choose.
#pragma once

#include <sluice/encode/escape.hpp>
#include <sluice/render/key.hpp>
#include <sluice/render/only.hpp>

#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace sluice::detail {

template <class T>
using members_of = boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>;

constexpr label literal_label(const char* name) noexcept {
    const std::size_t size = std::string_view(name).size();
    switch (encode::classify_key(name, size)) {
    case encode::key_class::plain:
        return {name, literal_meta(name, size, key_kind::plain)};
    case encode::key_class::html_sensitive:
        return {name, literal_meta(name, size, key_kind::html)};
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

} // namespace sluice::detail
