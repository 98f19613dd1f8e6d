// Counts this program's allocations. Linking sluice_test_allocations is what replaces the allocation functions; they
// stand in a unit of their own, where the compiler cannot see into a delete whose new it does not see, and warn.
#ifndef SLUICE_TESTS_ALLOCATIONS_HPP
#define SLUICE_TESTS_ALLOCATIONS_HPP

#include <cstddef>
#include <utility>

namespace sluice::test {

/// Allocations of all threads since the program began: by operator new; where no sanitizer has a malloc of its own,
/// also by the malloc family.
[[nodiscard]] std::size_t allocations_made() noexcept;

/// Those that have not been given back.
[[nodiscard]] std::size_t allocations_live() noexcept;

/// How many allocations the action makes.
template <class Action>
[[nodiscard]] std::size_t allocations_of(Action&& action) {
    const std::size_t before = allocations_made();
    std::forward<Action>(action)();
    return allocations_made() - before;
}

} // namespace sluice::test

#endif
