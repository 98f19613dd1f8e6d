// Chunks, the fixed-size buffers that an output fills, and the pool they come from.
#pragma once

#include <cstddef>

namespace sluice {

class chunk_pool;

/// A run of bytes in a batch: a chunk of a pool, or shared bytes that are referred to.
struct piece {
    piece* next = nullptr;
    const char* data = nullptr;
    std::size_t size = 0;
    chunk_pool* pool = nullptr; // null: not a chunk
};

/// A buffer of a pool. Room before and after its bytes is kept for what a protocol puts round them (the size line and
/// CRLF of HTTP/1.1 chunked framing, RFC 9112 section 7.1), so that framing costs neither a copy nor a buffer.
struct chunk : piece {
    static constexpr std::size_t room_before = 24;
    static constexpr std::size_t room_after = 8;

    std::size_t capacity = 0;

    char* begin() noexcept { return reinterpret_cast<char*>(this + 1) + room_before; }
    char* end() noexcept { return begin() + capacity; }
};

/// Gives out chunks of one size, keeps a bounded number of free ones, and counts. Any thread may call it.
/// A pool must outlive the outputs that use it and the writes that they have begun.
class chunk_pool {
public:
    static constexpr std::size_t default_chunk_size = 16 * 1024;

    /// `chunk_size`: usable bytes of a chunk, at least 1. `max_kept`: free chunks kept for reuse.
    explicit chunk_pool(std::size_t chunk_size = default_chunk_size, std::size_t max_kept = 256);
    chunk_pool(const chunk_pool&) = delete;
    chunk_pool& operator=(const chunk_pool&) = delete;
    ~chunk_pool();

    std::size_t chunk_size() const noexcept { return chunk_size_; }

    /// Throws std::bad_alloc.
    chunk* acquire();
    void release(chunk* returned) noexcept;

    /// Bytes of the chunks that are out, and the most that ever were since the last call of reset_peak.
    std::size_t bytes_in_use() const noexcept;
    std::size_t peak_bytes_in_use() const noexcept;
    void reset_peak() noexcept;

    /// The process's pool, of default size. Never destroyed.
    static chunk_pool& shared();

private:
    struct state; // what the lock guards, and the lock

    const std::size_t chunk_size_;
    const std::size_t max_kept_;
    state* const state_;
};

} // namespace sluice
