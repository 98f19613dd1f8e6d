// Memory for coroutine frames: free lists by size class, one set for each thread, bounded.
//
// A frame is rounded up to a multiple of 64 bytes; frames of up to 4 KiB are kept for reuse, larger ones go to the
// heap and back. A list holds at most `frame_pool::max_kept_bytes` bytes: what a thread frees beyond that (it ends
// renders that other threads began) is handed back to the heap at once, and the rest when the thread ends. So a pool
// never grows past `size_classes * max_kept_bytes` for each thread, whatever the pattern.
//
// Under AddressSanitizer nothing is kept, so that the use of a destroyed frame is found. Blocks are the same in both
// modes: code built with and without it may be mixed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define SLUICE_FRAME_POOL_KEEPS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLUICE_FRAME_POOL_KEEPS 0
#endif
#endif
#ifndef SLUICE_FRAME_POOL_KEEPS
#define SLUICE_FRAME_POOL_KEEPS 1
#endif

namespace sluice::coro {

class frame_pool {
public:
    static constexpr std::size_t granule = 64;
    static constexpr std::size_t size_classes = 64;
    /// The most bytes that one size class of one thread keeps for reuse.
    static constexpr std::size_t max_kept_bytes = 32 * 1024;

    /// Returns storage for `size` bytes, aligned for any fundamental type. Throws std::bad_alloc.
    static void* allocate(std::size_t size) {
        const std::size_t index = class_of(size);
#if SLUICE_FRAME_POOL_KEEPS
        if (index <= size_classes) [[likely]] {
            bucket& list = buckets_[index];
            if (node* first = list.first) [[likely]] {
                list.first = first->next;
                --list.count;
                return first;
            }
        }
#endif
        return ::operator new(index * granule);
    }

    /// Takes back what `allocate(size)` returned, on any thread.
    static void deallocate(void* block, std::size_t size) noexcept {
        const std::size_t index = class_of(size);
#if SLUICE_FRAME_POOL_KEEPS
        if (index <= size_classes) [[likely]] {
            bucket& list = buckets_[index];
            if (list.count < list.limit) [[likely]] {
                list.first = ::new (block) node{list.first};
                ++list.count;
                return;
            }
            if (open_list(index, block))
                return;
        }
#endif
        ::operator delete(block, index * granule);
    }

    /// Bytes that the calling thread keeps for reuse.
    static std::size_t kept_bytes() noexcept;

    /// Hands everything that the calling thread keeps back to the heap.
    static void release() noexcept;

private:
    struct node {
        node* next;
    };
    // A limit of zero means that the thread has not used the class yet, or has ended.
    struct bucket {
        node* first;
        std::uint32_t count;
        std::uint32_t limit;
    };

    static constexpr std::size_t class_of(std::size_t size) noexcept { return (size + granule - 1) / granule; }

    // The slow path of deallocate: opens the class's list on its first use and registers the thread's clean-up.
    // Returns false where the block belongs to the heap.
    static bool open_list(std::size_t index, void* block) noexcept;

    // Trivially destructible, so that reaching it costs no guard; a reaper in the source empties it at a thread's end.
    static inline thread_local constinit bucket buckets_[size_classes + 1] = {};
};

/// Base of promise types: their frames come from the pool.
struct pooled_frame {
    static void* operator new(std::size_t size) { return frame_pool::allocate(size); }
    static void operator delete(void* block, std::size_t size) noexcept { frame_pool::deallocate(block, size); }
};

} // namespace sluice::coro
