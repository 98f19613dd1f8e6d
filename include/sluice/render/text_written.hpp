// The awaitable of a string or of ready bytes: what fits is written at once, the rest while it is awaited.
#pragma once

#include <sluice/render/document.hpp>

#include <coroutine>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::detail {

/// Ready while the gate is open and the value is whole. Holds a cursor into the value, which must live until it has
/// been awaited: it does where both stand in one expression. Dropped before the value is whole, it fails the render.
class [[nodiscard("a write is awaited: co_await it")]] text_written {
public:
    using chain_awaiter = void;

    explicit text_written(document& doc) noexcept : doc_(&doc), at_(nullptr) {}
    /// Writes a string; at its slow path.
    text_written(document& doc, std::uint32_t serial, label name, std::string_view text)
        : doc_(&doc), at_(doc.begin_text(serial, name, text)), end_(text.data() + text.size()), escaped_(true) {
        if (at_ != nullptr)
            doc.hold();
    }
    /// Writes ready bytes after what has been written.
    struct ready_bytes {};
    text_written(ready_bytes, document& doc, std::string_view bytes)
        : doc_(&doc),
          at_(doc.more_bytes(bytes.data(), bytes.data() + bytes.size())),
          end_(bytes.data() + bytes.size()),
          escaped_(false) {
        if (at_ != nullptr)
            doc.hold();
    }
    text_written(const text_written&) = delete;
    text_written& operator=(const text_written&) = delete;
    ~text_written() {
        if (at_ != nullptr) [[unlikely]]
            dropped();
    }

    bool await_ready() const noexcept { return at_ == nullptr && doc_->open(); }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) noexcept {
        coro::environment& env = self.promise().environment();
        env.next = doc_->wait(env, self, wait_for::room, &proceed, this);
    }
    void await_resume() const {
        if (doc_->failed()) [[unlikely]]
            doc_->throw_error();
    }

private:
    document* doc_;

protected:
    const char* at_;  // where to go on; null once the value is whole
    const char* end_; // like escaped_, only while at_ is set

private:
    static bool proceed(void* object) {
        auto& self = *static_cast<text_written*>(object);
        if (self.at_ == nullptr)
            return true;
        self.at_ = self.escaped_ ? self.doc_->more_text(self.at_, self.end_, true)
                                 : self.doc_->more_bytes(self.at_, self.end_);
        if (self.at_ == nullptr)
            self.doc_->release();
        return self.at_ == nullptr;
    }
    void dropped() const noexcept {
        doc_->keep_misuse(errc::value_not_awaited, label::of_root(), "the rest of a long value was never written");
    }

    bool escaped_;
};

/// The same for a string that is a temporary: the rest of a long one is kept here.
class [[nodiscard("a write is awaited: co_await it")]] owned_text_written : public text_written {
public:
    explicit owned_text_written(document& doc) noexcept : text_written(doc) {}
    owned_text_written(document& doc, std::uint32_t serial, label name, std::string&& text)
        : text_written(doc, serial, name, text) {
        keep(std::move(text));
    }
    owned_text_written(ready_bytes tag, document& doc, std::string&& bytes) : text_written(tag, doc, bytes) {
        keep(std::move(bytes));
    }

private:
    void keep(std::string&& text) {
        if (at_ == nullptr)
            return;
        const std::ptrdiff_t position = at_ - text.data();
        text_ = std::move(text);
        at_ = text_.data() + position;
        end_ = text_.data() + text_.size();
    }
    std::string text_;
};

} // namespace sluice::detail
