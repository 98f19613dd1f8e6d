// What a render, or a container and all in it, says about keys, absent members and integers.
#pragma once

#include <sluice/encode/json_options.hpp>

#include <concepts>

namespace sluice {

class key_format;

/// What may be given to slot::object and slot::array: a key_format, an absent_policy, or an integer_policy, in force
/// for the container and what is in it, until it is closed.
template <class T>
concept scope_policy = std::same_as<T, key_format> || std::same_as<T, absent_policy> || std::same_as<T, integer_policy>;

namespace detail {

struct policies {
    const key_format* keys; // never null
    absent_policy absent;
    integer_policy integers;

    // Not initialized: most scopes have none.
    policies() noexcept {}
    policies(const key_format& format, const json_options& json) noexcept
        : keys(&format), absent(json.absent()), integers(json.integers()) {}

    void set(const key_format& format) noexcept { keys = &format; }
    void set(absent_policy what) noexcept { absent = what; }
    void set(integer_policy what) noexcept { integers = what; }
};

} // namespace detail

} // namespace sluice
