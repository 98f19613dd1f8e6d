// string_writer: an open JSON string, written in pieces.
#pragma once

#include <sluice/render/document.hpp>
#include <sluice/render/slot.hpp>

#include <coroutine>
#include <cstddef>
#include <string_view>

namespace sluice {

/// A scope, like object: slot::string opens the quote, the destructor closes it.
///
///     {
///         auto text = json["body"].string();
///         for (std::string_view piece : pieces) co_await text(piece);
///     }
///
/// A character may be split between pieces. What is incomplete at the end is replaced by U+FFFD; under
/// invalid_utf8_policy::error an ill-formed piece fails the render, after the pieces before it.
class string_writer {
public:
    string_writer(const string_writer&) = delete;
    string_writer& operator=(const string_writer&) = delete;
    ~string_writer();

    class [[nodiscard("a write is awaited: co_await it")]] piece_written {
    public:
        using chain_awaiter = void;

        piece_written(const piece_written&) = delete;
        piece_written& operator=(const piece_written&) = delete;
        ~piece_written();

        bool await_ready() const noexcept { return at_ == nullptr && writer_.doc_.open(); }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> self) noexcept {
            coro::environment& env = self.promise().environment();
            env.next = writer_.doc_.wait(env, self, detail::wait_for::room, &proceed, this);
        }
        void await_resume() const {
            if (writer_.doc_.failed()) [[unlikely]]
                writer_.doc_.throw_error();
        }

    private:
        friend class string_writer;
        piece_written(string_writer& writer, std::string_view piece);
        static bool proceed(void* object);

        string_writer& writer_;
        const char* at_;
        const char* end_;
    };

    /// Writes a piece, which must live until it has been awaited.
    piece_written operator()(std::string_view piece) { return piece_written(*this, piece); }

private:
    friend class slot;
    string_writer(detail::document& doc, std::uint32_t parent, detail::label name) : doc_(doc) {
        doc_.open_scope(scope_, detail::scope_record::kind::text, parent, name, '"');
    }
    const char* more(const char* from, const char* end);

    detail::document& doc_;
    detail::scope_record scope_;
    char carried_[4]; // the beginning of a character whose end is in the next piece
    std::size_t carried_size_ = 0;
};

} // namespace sluice
