// An allocator on coro::frame_pool: what Asio keeps for a handler is recycled as coroutine frames are.
#pragma once

#include <sluice/coro/frame_pool.hpp>

#include <cstddef>

namespace sluice::net::detail {

template <class T>
class pool_allocator {
public:
    using value_type = T;

    constexpr pool_allocator() noexcept = default;
    template <class U>
    constexpr pool_allocator(const pool_allocator<U>&) noexcept {}

    T* allocate(std::size_t count) {
        static_assert(alignof(T) <= alignof(std::max_align_t));
        return static_cast<T*>(coro::frame_pool::allocate(count * sizeof(T)));
    }
    void deallocate(T* block, std::size_t count) noexcept { coro::frame_pool::deallocate(block, count * sizeof(T)); }

    template <class U>
    constexpr bool operator==(const pool_allocator<U>&) const noexcept {
        return true;
    }
};

template <>
class pool_allocator<void> {
public:
    using value_type = void;
    template <class U>
    struct rebind {
        using other = pool_allocator<U>;
    };

    constexpr pool_allocator() noexcept = default;
    template <class U>
    constexpr pool_allocator(const pool_allocator<U>&) noexcept {}

    template <class U>
    constexpr bool operator==(const pool_allocator<U>&) const noexcept {
        return true;
    }
};

} // namespace sluice::net::detail
