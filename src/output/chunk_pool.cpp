#include <sluice/output/chunk_pool.hpp>

#include <algorithm>
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

} // namespace

chunk_pool::chunk_pool(std::size_t chunk_size, std::size_t max_kept) : chunk_size_(chunk_size), max_kept_(max_kept) {
    if (chunk_size == 0)
        throw std::invalid_argument("sluice: a chunk pool's chunk size is at least 1");
}

chunk_pool::~chunk_pool() {
    while (free_ != nullptr) {
        chunk* next = static_cast<chunk*>(free_->next);
        free_chunk(free_);
        free_ = next;
    }
}

chunk* chunk_pool::acquire() {
    {
        const std::lock_guard lock(mutex_);
        ++out_;
        peak_ = std::max(peak_, out_);
        if (free_ != nullptr) {
            chunk* taken = free_;
            free_ = static_cast<chunk*>(taken->next);
            --kept_;
            taken->next = nullptr;
            taken->size = 0;
            return taken;
        }
    }
    void* block = nullptr;
    try {
        block = ::operator new(block_size(chunk_size_));
    } catch (...) {
        const std::lock_guard lock(mutex_);
        --out_;
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
        const std::lock_guard lock(mutex_);
        --out_;
        if (kept_ < max_kept_) {
            returned->next = free_;
            free_ = returned;
            ++kept_;
            return;
        }
    }
    free_chunk(returned);
}

std::size_t chunk_pool::bytes_in_use() const noexcept {
    const std::lock_guard lock(mutex_);
    return out_ * chunk_size_;
}

std::size_t chunk_pool::peak_bytes_in_use() const noexcept {
    const std::lock_guard lock(mutex_);
    return peak_ * chunk_size_;
}

void chunk_pool::reset_peak() noexcept {
    const std::lock_guard lock(mutex_);
    peak_ = out_;
}

chunk_pool& chunk_pool::shared() {
    static auto* pool = new chunk_pool;
    return *pool;
}

} // namespace sluice
