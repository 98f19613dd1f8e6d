#include <sluice/coro/frame_pool.hpp>
#include <sluice/output/batch.hpp>
#include <sluice/output/shared_bytes.hpp>

#include <cassert>
#include <cstring>
#include <new>

namespace sluice {

namespace {

// A piece that refers to shared bytes, or holds a few bytes of framing itself.
struct reference : piece {
    shared_bytes bytes;
    char own[chunk::room_before];
};

reference* make_reference() {
    return ::new (coro::frame_pool::allocate(sizeof(reference))) reference;
}

reference* make_own(std::string_view text) {
    reference* made = make_reference();
    std::memcpy(made->own, text.data(), text.size());
    made->data = made->own;
    made->size = text.size();
    return made;
}

void destroy(piece* dropped) noexcept {
    if (dropped->pool != nullptr) {
        auto* block = static_cast<chunk*>(dropped);
        block->data = block->begin();
        block->pool->release(block);
    } else {
        auto* node = static_cast<reference*>(dropped);
        node->~reference();
        coro::frame_pool::deallocate(node, sizeof(reference));
    }
}

} // namespace

void batch::append(piece* added) noexcept {
    added->next = nullptr;
    (last_ != nullptr ? last_->next : first_) = added;
    last_ = added;
    size_ += added->size;
    ++count_;
}

void batch::add(chunk* filled) noexcept {
    append(filled);
}

void batch::add(shared_bytes bytes) {
    if (bytes.view().empty())
        return;
    reference* made = make_reference();
    made->bytes = std::move(bytes);
    made->data = made->bytes.view().data();
    made->size = made->bytes.view().size();
    append(made);
}

void batch::add(batch&& other) noexcept {
    if (other.first_ == nullptr)
        return;
    (last_ != nullptr ? last_->next : first_) = other.first_;
    last_ = other.last_;
    size_ += other.size_;
    count_ += other.count_;
    other.first_ = other.last_ = nullptr;
    other.size_ = other.count_ = 0;
}

void batch::frame(std::string_view before, std::string_view after) {
    assert(first_ != nullptr && before.size() <= chunk::room_before && after.size() <= chunk::room_after);
    if (!before.empty()) {
        if (first_->pool != nullptr && first_->data == static_cast<chunk*>(first_)->begin()) {
            char* start = static_cast<chunk*>(first_)->begin() - before.size();
            std::memcpy(start, before.data(), before.size());
            first_->data = start;
            first_->size += before.size();
            size_ += before.size();
        } else {
            reference* made = make_own(before);
            made->next = first_;
            first_ = made;
            size_ += made->size;
            ++count_;
        }
    }
    if (!after.empty()) {
        if (last_->pool != nullptr) {
            char* behind =
                static_cast<chunk*>(last_)->begin() + (last_->data + last_->size - static_cast<chunk*>(last_)->begin());
            std::memcpy(behind, after.data(), after.size());
            last_->size += after.size();
            size_ += after.size();
        } else {
            append(make_own(after));
        }
    }
}

void batch::clear() noexcept {
    for (piece* at = first_; at != nullptr;) {
        piece* next = at->next;
        destroy(at);
        at = next;
    }
    first_ = last_ = nullptr;
    size_ = count_ = 0;
}

} // namespace sluice
