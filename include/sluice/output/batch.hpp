// A batch: the bytes of one write, handed from an output to its sink together with their ownership.
#pragma once

#include <sluice/output/chunk_pool.hpp>

#include <cstddef>
#include <string_view>
#include <utility>

namespace sluice {

class shared_bytes;

/// A list of pieces in order. Move-only; destroying it gives the chunks back to their pool and lets go of shared bytes.
/// A sink keeps the batch until the operation that reads it has ended, even where the render is gone by then.
class batch {
public:
    batch() = default;
    batch(batch&& other) noexcept { swap(other); }
    batch& operator=(batch&& other) noexcept {
        if (this != &other) {
            clear();
            swap(other);
        }
        return *this;
    }
    ~batch() { clear(); }

    /// Bytes in all.
    std::size_t size() const noexcept { return size_; }
    std::size_t pieces() const noexcept { return count_; }
    bool empty() const noexcept { return size_ == 0; }

    class iterator {
    public:
        using value_type = std::string_view;
        using difference_type = std::ptrdiff_t;
        iterator() = default;
        explicit iterator(const piece* at) noexcept : at_(at) {}
        std::string_view operator*() const noexcept { return {at_->data, at_->size}; }
        iterator& operator++() noexcept {
            at_ = at_->next;
            return *this;
        }
        iterator operator++(int) noexcept {
            iterator old = *this;
            ++*this;
            return old;
        }
        bool operator==(const iterator&) const = default;

    private:
        const piece* at_ = nullptr;
    };
    iterator begin() const noexcept { return iterator(first_); }
    iterator end() const noexcept { return {}; }

    /// Takes a chunk over.
    void add(chunk* filled) noexcept;
    /// Refers to shared bytes. Throws std::bad_alloc.
    void add(shared_bytes bytes);
    /// Appends all of another's pieces.
    void add(batch&& other) noexcept;

    /// Puts `before` (at most chunk::room_before bytes) in front of all bytes and `after` (at most chunk::room_after)
    /// behind them: in place where the first and last piece are chunks. The batch is not empty. Throws std::bad_alloc.
    void frame(std::string_view before, std::string_view after);

    void clear() noexcept;

private:
    void swap(batch& other) noexcept {
        std::swap(first_, other.first_);
        std::swap(last_, other.last_);
        std::swap(size_, other.size_);
        std::swap(count_, other.count_);
    }
    void append(piece* added) noexcept;

    piece* first_ = nullptr;
    piece* last_ = nullptr;
    std::size_t size_ = 0;
    std::size_t count_ = 0;
};

} // namespace sluice
