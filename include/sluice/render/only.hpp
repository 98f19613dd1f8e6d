// Choosing members by name: only<"a", "b"> and except<"c">.
#pragma once

#include <cstddef>
#include <string_view>

namespace sluice {

namespace detail {

template <std::size_t N>
struct fixed_string {
    consteval fixed_string(const char (&text)[N]) {
        for (std::size_t i = 0; i < N; ++i)
            data[i] = text[i];
    }
    constexpr std::string_view view() const noexcept { return {data, N - 1}; }
    char data[N] = {};
};

template <std::size_t N>
fixed_string(const char (&)[N]) -> fixed_string<N>;

/// All members, in the order of their declaration.
struct all_members {
    constexpr all_members() noexcept {}
    static constexpr bool takes(std::string_view) noexcept { return true; }
};

template <fixed_string... Names>
struct only_members {
    constexpr only_members() noexcept {}
    static constexpr bool takes(std::string_view name) noexcept { return ((name == Names.view()) || ...); }
};

template <fixed_string... Names>
struct except_members {
    constexpr except_members() noexcept {}
    static constexpr bool takes(std::string_view name) noexcept { return ((name != Names.view()) && ...); }
};

} // namespace detail

/// The named members of a described struct, in this order, or the named keys of a map, in the map's order.
/// A name that a described struct does not have fails to compile.
template <detail::fixed_string... Names>
inline constexpr detail::only_members<Names...> only{};

/// All but the named members or keys. A name that a described struct does not have fails to compile.
template <detail::fixed_string... Names>
inline constexpr detail::except_members<Names...> except{};

} // namespace sluice
