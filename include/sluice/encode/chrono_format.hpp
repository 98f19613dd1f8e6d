// Time points as RFC 3339 timestamps, durations as ISO 8601 durations, from integer arithmetic alone.
#pragma once

#include <sluice/duration.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ratio>
#include <type_traits>

namespace sluice::encode {

// Bytes that must be writable at `out` for write_timestamp: "2026-11-30T12:00:00.123456789Z".
inline constexpr std::size_t max_timestamp_size = 30;

// Bytes that must be writable at `out` for write_duration: "-PT2562047788015215H30M7.123456789012345678S".
inline constexpr std::size_t max_duration_size = 48;

namespace detail {

__extension__ typedef __int128 int128;

// A count of seconds: `seconds` rounded toward the past, and what is missing, 0 <= attoseconds < 10^18.
struct split_seconds {
    bool in_range = false;
    std::int64_t seconds = 0;
    std::uint64_t attoseconds = 0;
};

inline constexpr std::int64_t attoseconds_per_second = 1'000'000'000'000'000'000;

// `count` ticks of Period. Exact when a tick is a whole number of attoseconds or of seconds, as in all of std::chrono;
// for another ratio the fraction is rounded toward the past at the eighteenth digit.
template <class Period, class Count>
constexpr split_seconds split_ticks(Count count) noexcept {
    using ratio = typename Period::type;
    split_seconds result;
    if constexpr (ratio::num == 1 && std::signed_integral<Count> && sizeof(Count) <= sizeof(std::int64_t)) {
        const auto ticks = static_cast<std::int64_t>(count);
        std::int64_t whole = ticks / ratio::den;
        std::int64_t rest = ticks % ratio::den;
        if (rest < 0) {
            --whole;
            rest += ratio::den;
        }
        result.seconds = whole;
        if constexpr (attoseconds_per_second % ratio::den == 0)
            result.attoseconds = static_cast<std::uint64_t>(rest * (attoseconds_per_second / ratio::den));
        else
            result.attoseconds = static_cast<std::uint64_t>(int128{rest} * attoseconds_per_second / ratio::den);
    } else {
        const int128 scaled = static_cast<int128>(count) * ratio::num;
        int128 whole = scaled / ratio::den;
        int128 rest = scaled % ratio::den;
        if (rest < 0) {
            --whole;
            rest += ratio::den;
        }
        if (whole < INT64_MIN || whole > INT64_MAX)
            return result;
        result.seconds = static_cast<std::int64_t>(whole);
        result.attoseconds = static_cast<std::uint64_t>(rest * attoseconds_per_second / ratio::den);
    }
    result.in_range = true;
    return result;
}

template <duration_like T>
split_seconds split(const T& duration) noexcept {
    using Rep = typename T::rep;
    using Period = typename T::period;
    if constexpr (std::is_floating_point_v<Rep>) {
        using ratio = typename Period::type;
        // Bounds within which ticks * num fits 128 bits; NaN fails the comparison.
        constexpr Rep bound = ratio::num == 1 ? Rep(0x1p100) : Rep(0x1p62);
        const Rep count = duration.count();
        if (!(count > -bound && count < bound))
            return {};
        // Whole ticks are exact; only the fraction of a tick is rounded, to the nearest nanosecond.
        auto whole = static_cast<int128>(count);
        if (static_cast<Rep>(whole) > count)
            --whole;
        split_seconds result = split_ticks<Period>(whole);
        const Rep exact = (count - static_cast<Rep>(whole)) * (Rep(1e9) * Rep(ratio::num) / Rep(ratio::den));
        auto nanoseconds = static_cast<int128>(exact);
        if (exact - static_cast<Rep>(nanoseconds) >= Rep(0.5))
            ++nanoseconds;
        const split_seconds more = split_ticks<std::nano>(nanoseconds);
        if (!result.in_range || !more.in_range || result.seconds > INT64_MAX - more.seconds - 1)
            return {};
        result.seconds += more.seconds;
        result.attoseconds += more.attoseconds;
        if (result.attoseconds >= static_cast<std::uint64_t>(attoseconds_per_second)) {
            ++result.seconds;
            result.attoseconds -= static_cast<std::uint64_t>(attoseconds_per_second);
        }
        return result;
    } else {
        static_assert(std::integral<Rep> && sizeof(Rep) <= sizeof(std::int64_t),
                      "sluice: a duration's representation must be a standard integer or floating-point type");
        return split_ticks<Period>(duration.count());
    }
}

char* write_timestamp(char* out, split_seconds since_epoch, unsigned digits) noexcept;
char* write_duration(char* out, split_seconds length) noexcept;

} // namespace detail

// Writes a time point of the system clock (or one that says how it relates to time_t) in UTC as RFC 3339, section 5.6,
// and returns the end of the text: "2026-11-30T12:00:00.000Z". The fraction always has `digits` digits, 0 (and no
// point) to 9, more count as 9; what is finer is cut off toward the past, so that a time never reads later than it is,
// before 1970 as after. A floating-point count of ticks is rounded to the nearest nanosecond before that. Unix time:
// leap seconds do not appear.
//
// Returns nullptr, having written nothing, outside the years 0000 to 9999 and for NaN and infinities. `out` must have
// max_timestamp_size writable bytes.
template <time_point_like T>
[[nodiscard]] char* write_timestamp(char* out, const T& time, unsigned digits = 3) noexcept {
    detail::split_seconds since = detail::split(time.time_since_epoch());
    const std::int64_t epoch = T::clock::to_time_t(typename T::clock::time_point()); // 0 for the system clock
    since.in_range = since.in_range && !__builtin_add_overflow(since.seconds, epoch, &since.seconds);
    return detail::write_timestamp(out, since, digits);
}

// Writes a duration in hours, minutes and seconds and returns the end of the text: "PT1.5S", "PT1H0M1S", "PT48H",
// "-PT0.25S", "PT0S". This is the grammar of RFC 3339, appendix A (so units between two that are written are written
// too, though 0), with two additions that ISO 8601-1 and ISO 8601-2 allow: a fraction of the seconds, without trailing
// zeros, and a sign before the whole. Days and larger units are not used, because a calendar day is not always 24
// hours.
//
// Exact for every integer count of ticks in std::chrono's units and of ratios down to std::atto; a tick that has no
// finite decimal form in 18 digits is cut off there, toward the past. A floating-point count is rounded to the nearest
// nanosecond.
//
// Returns nullptr, having written nothing, for 2^63 seconds and more, and for NaN and infinities (floating-point counts
// of ticks: also from 2^62 ticks longer than a second, or 2^100 others). `out` must have max_duration_size writable
// bytes.
template <duration_like T>
[[nodiscard]] char* write_duration(char* out, const T& length) noexcept {
    return detail::write_duration(out, detail::split(length));
}

} // namespace sluice::encode
