// Durations and time points by what they have, not by name, so that templates are compiled without <chrono>, which in
// libstdc++ brings the streams with it. Those of std::chrono are meant; any that have the same members will do.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace sluice {

/// std::chrono::duration: a count of ticks of `period` seconds, a std::ratio.
template <class T>
concept duration_like = requires(const T& length) {
    typename T::rep;
    { T::period::num } -> std::convertible_to<std::intmax_t>;
    { T::period::den } -> std::convertible_to<std::intmax_t>;
    { length.count() } -> std::same_as<typename T::rep>;
};

/// std::chrono::time_point of a clock that relates to Unix time by a function `to_time_t`, as system_clock does.
template <class T>
concept time_point_like = requires(const T& time) {
    { time.time_since_epoch() } -> duration_like;
    { T::clock::to_time_t(typename T::clock::time_point()) } -> std::convertible_to<std::int64_t>;
};

/// Whole nanoseconds, cut off toward zero; the nearest that std::int64_t holds where it does not hold them; 0 for NaN.
template <duration_like T>
constexpr std::int64_t nanoseconds_of(const T& length) noexcept {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    const auto count = length.count();
    if constexpr (std::is_floating_point_v<typename T::rep>) {
        const auto exact = static_cast<long double>(count) * (1e9L * T::period::num / T::period::den);
        if (exact != exact)
            return 0;
        return exact >= 0x1p63L ? most : exact < -0x1p63L ? least : static_cast<std::int64_t>(exact);
    } else {
        __extension__ using wide = __int128;
        const wide exact = wide{count} * T::period::num * (wide{1'000'000'000}) / T::period::den;
        return exact > most ? most : exact < least ? least : static_cast<std::int64_t>(exact);
    }
}

} // namespace sluice
