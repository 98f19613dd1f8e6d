#include <sluice/output/chunk_pool.hpp>

#include <algorithm>
#include <mutex>
#include <new>
#include <stdexcept>

namespace sluice {

namespace {

std::size_t block_size(std::size_t capacity) noexcept {
    return sizeof(chunk) + chunk::room_before + capacity + chunk::room_after;
}

void free_chunk(chunk* block) noexcept {
    const std::size_t size = block_size(block->capacity);
    block->~chunk();
    ::operator delete(block, size);
}

// Before anything is made.
std::size_t checked(std::size_t chunk_size) {
    if (chunk_size == 0)
        throw std::invalid_argument("sluice: a chunk pool's chunk size is at least 1");
    return chunk_size;
}

} // namespace

struct chunk_pool::state {
    std::mutex mutex;
    chunk* free = nullptr;
    std::size_t kept = 0;
    std::size_t out = 0;
    std::size_t peak = 0;
};

chunk_pool::chunk_pool(std::size_t chunk_size, std::size_t max_kept)
    : chunk_size_(checked(chunk_size)), max_kept_(max_kept), state_(new state) {}

chunk_pool::~chunk_pool() {
    while (state_->free != nullptr) {
        chunk* next = static_cast<chunk*>(state_->free->next);
        free_chunk(state_->free);
        state_->free = next;
    }
    delete state_;
}

chunk* chunk_pool::acquire() {
    {
        const std::lock_guard lock(state_->mutex);
        ++state_->out;
        state_->peak = std::max(state_->peak, state_->out);
        if (state_->free != nullptr) {
            chunk* taken = state_->free;
            state_->free = static_cast<chunk*>(taken->next);
            --state_->kept;
            taken->next = nullptr;
            taken->size = 0;
            return taken;
        }
    }
    void* block = nullptr;
    try {
        block = ::operator new(block_size(chunk_size_));
    } catch (...) {
        const std::lock_guard lock(state_->mutex);
        --state_->out;
        throw;
    }
    auto* made = ::new (block) chunk;
    made->pool = this;
    made->capacity = chunk_size_;
    made->data = made->begin();
    return made;
}

void chunk_pool::release(chunk* returned) noexcept {
    {
        const std::lock_guard lock(state_->mutex);
        --state_->out;
        if (state_->kept < max_kept_) {
            returned->next = state_->free;
            state_->free = returned;
            ++state_->kept;
            return;
        }
    }
    free_chunk(returned);
}

std::size_t chunk_pool::bytes_in_use() const noexcept {
    const std::lock_guard lock(state_->mutex);
    return state_->out * chunk_size_;
}

std::size_t chunk_pool::peak_bytes_in_use() const noexcept {
    const std::lock_guard lock(state_->mutex);
    return state_->peak * chunk_size_;
}

void chunk_pool::reset_peak() noexcept {
    const std::lock_guard lock(state_->mutex);
    state_->peak = state_->out;
}

chunk_pool& chunk_pool::shared() {
    static auto* pool = new chunk_pool;
    return *pool;
}

} // namespace sluice
