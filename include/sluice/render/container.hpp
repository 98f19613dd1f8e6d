// What an open object and an open array have in common.
#pragma once

#include <sluice/render/document.hpp>

#include <string_view>

namespace sluice::detail {

class container {
public:
    container(const container&) = delete;
    container& operator=(const container&) = delete;

    /// Awaits that the sink has taken every byte written so far: with a stream, that the operating system has them, and
    /// the head before them; in a child beside others, or in a capture, that the document has them. Not after each
    /// element: a flush of a few bytes costs a system call. Cancellation and failure: as of a write.
    drained flush() noexcept { return {doc_, wait_for::flush}; }

    /// As of a slot.
    bool in_fragment() const noexcept { return doc_.in_fragment(); }
    void not_cacheable(std::string_view why) const { doc_.refuse_fragment(why); }
    template <class T>
    T& context() const {
        return doc_.get_context<T>();
    }
    template <class T>
    T* find_context() const noexcept {
        return doc_.find_context<T>();
    }

protected:
    [[gnu::always_inline]] explicit container(document& doc) noexcept : doc_(doc) {}
    ~container() = default;

    document& doc_;
    scope_record scope_;
};

} // namespace sluice::detail
