#include <sluice/coro/frame_pool.hpp>

#include <utility>

namespace sluice::coro {

namespace {

// Trivially destructible: outlives the reaper, which may not be touched once it is destroyed.
thread_local constinit bool lists_closed = false;

// Empties a thread's lists when the thread ends, and closes them: frames that are destroyed later still, by other
// thread-local or static objects, go to the heap.
struct reaper {
    bool watching = false;
    ~reaper() {
        lists_closed = true;
        frame_pool::release();
    }
};
thread_local reaper this_thread;

} // namespace

bool frame_pool::open_list(std::size_t index, void* block) noexcept {
    bucket& list = buckets_[index];
    if (lists_closed || list.limit != 0 || index == 0)
        return false;
    this_thread.watching = true; // a first use registers the destructor
    list.limit = static_cast<std::uint32_t>(max_kept_bytes / (index * granule));
    list.first = ::new (block) node{nullptr};
    list.count = 1;
    return true;
}

std::size_t frame_pool::kept_bytes() noexcept {
    std::size_t bytes = 0;
    for (std::size_t index = 1; index <= size_classes; ++index)
        bytes += buckets_[index].count * index * granule;
    return bytes;
}

void frame_pool::release() noexcept {
    for (std::size_t index = 1; index <= size_classes; ++index) {
        bucket& list = buckets_[index];
        for (node* block = std::exchange(list.first, nullptr); block != nullptr;) {
            node* next = block->next;
            ::operator delete(block, index * granule);
            block = next;
        }
        list.count = 0;
        list.limit = 0;
    }
}

} // namespace sluice::coro
