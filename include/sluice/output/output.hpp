// The output: chunks, the gate, the sticky error. It knows nothing of the format of what is written.
//
// Bytes are written at once into the current chunk. While one write of the sink is in flight, rendering goes on until
// the high-water mark; then the gate closes and the coroutine's next await waits, until no more than the low-water mark
// is buffered. What is buffered never exceeds the high-water mark by more than `overrun` bytes (a chunk, and at least
// 4 KiB), whatever is written: a write beyond that fails the render. Only the batch of another output, of a part of the
// same document, is taken whole: 8 KiB at most.
//
// A failure sticks: nothing more is written or sent, and every further write and await throws it.
#pragma once

#include <sluice/coro/environment.hpp>
#include <sluice/coro/scheduled.hpp>
#include <sluice/coro/stop_watch.hpp>
#include <sluice/error.hpp>
#include <sluice/output/batch.hpp>
#include <sluice/output/output_options.hpp>
#include <sluice/output/sink.hpp>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>

namespace sluice {

class output;
class shared_bytes;

namespace detail {

/// What a coroutine waits for: room below the mark, all bytes taken by the sink, or the end of the document.
enum class wait_for : unsigned char { room, flush, finish };

} // namespace detail

class output : private write_listener, private coro::chain_observer {
public:
    static constexpr std::size_t least_overrun = 4096;

    output(sink& to, const output_options& options);
    output(const output&) = delete;
    output& operator=(const output&) = delete;
    /// A write in flight is detached: its bytes belong to the sink's operation.
    ~output() override;

    /// Makes this the output of a chain: it is told when the chain waits or is dropped, and stops with it.
    void attach(coro::environment& env);
    void detach() noexcept;

    // ---- writing -----------------------------------------------------------------------------------------------

    /// True while the gate is open: what await_ready asks.
    bool open() const noexcept { return cur_ < soft_; }
    /// Where the next byte goes, and how many bytes fit there. Empty after a failure.
    char* cursor() const noexcept { return cur_; }
    std::size_t room() const noexcept { return static_cast<std::size_t>(end_ - cur_); }
    /// Bytes that fit before the gate closes.
    std::size_t room_below_mark() const noexcept { return cur_ < soft_ ? static_cast<std::size_t>(soft_ - cur_) : 0; }
    /// Says how far the bytes written at the cursor reach.
    void advance_to(char* position) noexcept { cur_ = position; }

    /// Appends bytes, over as many chunks as it takes. Throws the failure.
    void append(const char* bytes, std::size_t size);
    void append(char byte) {
        if (cur_ == end_) [[unlikely]]
            next_chunk();
        *cur_++ = byte;
    }
    /// Appends shared bytes by reference.
    void append(shared_bytes bytes);
    /// Appends the pieces of another output's write: copied where they are few bytes, which would keep a chunk each,
    /// and else by themselves.
    void append(batch&& bytes);
    /// Opens a new chunk if the current one is full and the mark allows it; returns open().
    bool make_room();

    /// Keeps room for `bytes` of closings in all: then append_closing never fails. Throws std::bad_alloc.
    void keep_for_closings(std::size_t bytes);
    /// Appends what closes scopes, from what was kept for it. Never waits, never throws; nothing after a failure.
    void append_closing(const char* bytes, std::size_t size) noexcept;

    // ---- failing -----------------------------------------------------------------------------------------------

    bool failed() const noexcept { return static_cast<bool>(error_); }
    std::error_code error() const noexcept { return error_; }
    const std::string& error_path() const noexcept { return error_path_; }
    const std::string& error_detail() const noexcept { return error_detail_; }
    /// Fails the render: the first failure is kept.
    void fail(std::error_code error, std::string path, std::string detail) noexcept;
    [[noreturn]] void throw_error() const;

    /// The number of exceptions in flight on the thread that runs the chain; after a failure a number that no scope
    /// has seen. A scope that closes under another number than it was opened under writes nothing.
    unsigned exceptions_in_flight() const noexcept { return *exceptions_; }

    // ---- figures -----------------------------------------------------------------------------------------------

    std::size_t buffered() const noexcept { return in_flight_ + queue_.size() + filling() + kept_back_size_; }
    std::uint64_t bytes_sent() const noexcept { return sent_; }
    /// Bytes written so far, sent or not.
    std::uint64_t bytes_written() const noexcept { return sent_ + buffered(); }
    /// How often a coroutine has waited for the gate.
    std::uint64_t suspensions() const noexcept { return suspensions_; }
    std::size_t overrun() const noexcept { return overrun_; }
    /// In nanoseconds.
    std::int64_t linger() const noexcept { return linger_; }

    // ---- waiting -----------------------------------------------------------------------------------------------

    /// For awaiters: leaves what `coroutine` waits for; the step starts it, on an empty stack. `proceed(object)`, if
    /// given, goes on writing a long value when there is room, and returns true when it is done. One coroutine at a
    /// time: a second one fails the render.
    coro::chain_step wait(coro::environment& env, std::coroutine_handle<> coroutine, detail::wait_for wanted,
                          bool (*proceed)(void* object) = nullptr, void* object = nullptr) noexcept;

protected:
    // What the encoder's inline path compares its needs with: end_, or null where every write takes the slow path.
    char* cur_;
    char* fast_end_;
    char* soft_;
    char* end_;
    const unsigned* exceptions_;
    /// Whether there is an inline path, and how many bytes before the end of a chunk it must stop.
    void use_fast_path(bool fast, std::size_t margin) noexcept {
        fast_ = fast;
        fast_margin_ = margin;
        set_fast_end();
    }
    /// Of a part of another output's document: what is rendered may leave as soon as it has lingered.
    void commit() noexcept { committed_ = true; }
    /// The path of the place that is being written, for a failure that the output itself finds.
    virtual std::string current_path() const { return {}; }
    /// What it means that more was written past the mark than may be.
    virtual errc overrun_code() const noexcept { return errc::write_not_awaited; }
    /// How many bytes at the end of a complete document are sent with the end only (more than there are: all of it); 0
    /// while the document is not complete. Were they sent before, and the render failed after all, the sink would be
    /// left with a document that looks whole.
    virtual std::size_t sealing() const noexcept { return 0; }

private:
    struct linger_timer final : coro::scheduled {
        explicit linger_timer(output& owner) noexcept : out(owner) {}
        void run() noexcept override { out.linger_over(); }
        output& out;
    };
    struct stopper final : coro::scheduled {
        explicit stopper(output& owner) noexcept : out(owner) {}
        void run() noexcept override { out.stop(); }
        output& out;
    };

    void written(std::error_code error) noexcept override;
    void resumed() noexcept override;
    void suspending() noexcept override;
    void abandoned() noexcept override;

    void set_fast_end() noexcept {
        const bool any = fast_ && filling_ != nullptr && room() >= fast_margin_;
        fast_end_ = any ? end_ - fast_margin_ : nullptr;
    }
    std::size_t filling() const noexcept { return filling_ != nullptr ? static_cast<std::size_t>(cur_ - start_) : 0; }
    void next_chunk();
    void open_chunk(std::size_t allowed);
    void seal() noexcept;
    void set_marks() noexcept;
    void close_window() noexcept;
    void send(bool everything, bool last) noexcept;
    void send_everything() noexcept;
    void send_all_but_sealing() noexcept;
    bool sendable() const noexcept;
    void ended(std::error_code error) noexcept;
    static std::coroutine_handle<> start_wait(void* object) noexcept;
    bool begin_wait() noexcept;
    bool waiting_for_end() const noexcept { return waiter_.coroutine && waiter_.wanted == detail::wait_for::finish; }
    bool has_room();
    bool satisfied();
    void go_on() noexcept;
    void linger_over() noexcept;
    void watch_stop(coro::environment& env);
    void stop_requested() noexcept;
    void stop() noexcept;

    sink& sink_;
    chunk_pool& pool_;
    const std::size_t high_water_;
    const std::size_t low_water_;
    const std::size_t overrun_;
    const std::int64_t linger_; // nanoseconds

    bool fast_ = true;
    std::size_t fast_margin_ = 0;
    chunk* filling_ = nullptr;
    char* start_ = nullptr; // of what filling_ holds
    batch queue_;           // full, not yet given to the sink
    std::size_t in_flight_ = 0;
    bool writing_ = false;
    bool last_sent_ = false;
    bool aborted_ = false;
    bool stopping_ = false;    // the last write is being cancelled
    bool committed_ = false;   // something has been given to the sink
    bool linger_over_ = false; // it passed while a write was in flight
    std::uint64_t sent_ = 0;
    std::uint64_t suspensions_ = 0;

    static constexpr std::size_t kept_inline = 96;
    char kept_inline_[kept_inline];
    char* kept_ = kept_inline_; // or on the heap
    std::size_t kept_capacity_ = kept_inline;
    std::size_t kept_back_size_ = 0; // closings that found the chunk full

    // The one coroutine that waits, or is about to.
    struct waiter {
        std::coroutine_handle<> coroutine;
        coro::environment* env = nullptr;
        bool (*proceed)(void* object) = nullptr;
        void* object = nullptr;
        detail::wait_for wanted = detail::wait_for::room;
    };
    waiter waiter_;
    bool waiting_ = false; // started: only the sink, a timer or a stop goes on with it
    coro::environment* env_ = nullptr;
    linger_timer linger_timer_{*this};
    stopper stopper_{*this};
    coro::stop_watch on_stop_;

    std::error_code error_;
    std::string error_path_;
    std::string error_detail_;
};

namespace detail {

/// Awaits the gate after something has been written: ready at once while it is open.
class [[nodiscard("a write is awaited: co_await it")]] written {
public:
    using chain_awaiter = void;

    explicit written(output& out) noexcept : out_(&out) {}

    bool await_ready() const noexcept { return out_->open(); }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) const noexcept {
        coro::environment& env = self.promise().environment();
        env.next = out_->wait(env, self, wait_for::room);
    }
    void await_resume() const {
        if (out_->failed()) [[unlikely]]
            out_->throw_error();
    }

private:
    output* out_;
};

/// Awaits that the sink has taken everything (flush; throws a failure), or has been given the end (finish).
class [[nodiscard("a flush is awaited: co_await it")]] drained {
public:
    using chain_awaiter = void;

    drained(output& out, wait_for wanted) noexcept : out_(&out), wanted_(wanted) {}

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) const noexcept {
        coro::environment& env = self.promise().environment();
        env.next = out_->wait(env, self, wanted_);
    }
    void await_resume() const {
        if (wanted_ == wait_for::flush && out_->failed()) [[unlikely]]
            out_->throw_error();
    }

private:
    output* out_;
    wait_for wanted_;
};

} // namespace detail

} // namespace sluice
