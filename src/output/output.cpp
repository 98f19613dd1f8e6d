#include <sluice/coro/chain_stop.hpp>
#include <sluice/coro/scheduler.hpp>
#include <sluice/output/output.hpp>
#include <sluice/output/shared_bytes.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <cxxabi.h>
#include <utility>

namespace sluice {

namespace {

// An empty window, for outputs that have no chunk or have failed: nothing is ever written there.
char nowhere[1];

// What a failed output counts as exceptions in flight: no scope was opened under it.
constexpr unsigned poisoned = 0xffff'ffffU;

// The Itanium C++ ABI (exception handling, section 2.2.2): the thread's globals begin with the caught exceptions'
// stack, followed by the number of uncaught exceptions.
struct eh_globals {
    void* caught;
    unsigned uncaught;
};

const unsigned* this_threads_exceptions() noexcept {
    return &reinterpret_cast<const eh_globals*>(abi::__cxa_get_globals())->uncaught;
}

} // namespace

output::output(sink& to, const output_options& options)
    : cur_(nowhere),
      fast_end_(nullptr),
      soft_(nowhere),
      end_(nowhere),
      exceptions_(this_threads_exceptions()),
      sink_(to),
      pool_(options.pool()),
      high_water_(options.high_water()),
      low_water_(options.low_water()),
      overrun_(std::max(pool_.chunk_size(), least_overrun)),
      linger_(options.linger()) {}

output::~output() {
    detach();
    if (writing_)
        sink_.detach();
    if (filling_ != nullptr)
        pool_.release(filling_);
    if (kept_ != kept_inline_)
        delete[] kept_;
}

void output::attach(coro::environment& env) {
    env.observer = this;
    watch_stop(env);
}

void output::watch_stop(coro::environment& env) {
    env_ = &env;
    stopper_.withdraw(); // of the chain before
    on_stop_.watch(env, [](void* out) noexcept { static_cast<output*>(out)->stop_requested(); }, this);
}

void output::detach() noexcept {
    on_stop_.reset();
    if (env_ != nullptr && env_->observer == this)
        env_->observer = nullptr;
    env_ = nullptr;
}

// ---- writing ---------------------------------------------------------------------------------------------------

void output::append(const char* bytes, std::size_t size) {
    while (size > room()) {
        const std::size_t fits = room();
        std::memcpy(cur_, bytes, fits);
        cur_ += fits;
        bytes += fits;
        size -= fits;
        next_chunk();
    }
    std::memcpy(cur_, bytes, size);
    cur_ += size;
}

void output::append(shared_bytes bytes) {
    if (failed())
        throw_error();
    if (kept_back_size_ != 0)
        next_chunk();
    seal();
    queue_.add(std::move(bytes));
}

void output::append(batch&& bytes) {
    if (failed())
        throw_error();
    if (bytes.size() < pool_.chunk_size() / 4 || bytes.size() < 1024) {
        for (const std::string_view piece : bytes)
            append(piece.data(), piece.size());
        bytes.clear();
        return;
    }
    if (kept_back_size_ != 0)
        next_chunk();
    seal();
    queue_.add(std::move(bytes));
}

bool output::make_room() {
    if (cur_ == end_ && buffered() < high_water_ && !failed())
        next_chunk();
    return open();
}

// Called when the window is full. What was kept back goes first.
void output::next_chunk() {
    if (failed())
        throw_error();
    const std::size_t limit = high_water_ + overrun_;
    seal();
    if (buffered() >= limit && sealing() == 0) {
        fail(
            overrun_code(), current_path(),
            "more than " + std::to_string(overrun_) +
                " bytes past the high-water mark: writes were not awaited, or that much was opened, which cannot wait");
        throw_error();
    }
    if (!sink_.synchronous() && !writing_ && !queue_.empty() && sealing() == 0) {
        send(false, false);
        if (failed())
            throw_error();
    }
    open_chunk(limit > buffered() ? limit - buffered() : pool_.chunk_size());
    while (kept_back_size_ != 0) {
        const char* kept = kept_;
        const std::size_t size = std::min(kept_back_size_, room());
        std::memcpy(cur_, kept, size);
        cur_ += size;
        kept_back_size_ -= size;
        if (kept_back_size_ != 0) {
            std::memmove(const_cast<char*>(kept), kept + size, kept_back_size_);
            seal();
            open_chunk(pool_.chunk_size());
        }
    }
    set_marks();
    if (cur_ == end_ && sealing() == 0)
        next_chunk();
}

void output::open_chunk(std::size_t allowed) {
    chunk* opened = pool_.acquire();
    filling_ = opened;
    start_ = cur_ = opened->begin();
    end_ = start_ + std::min(allowed, opened->capacity);
    set_marks();
}

// Moves what the current chunk holds to the queue.
void output::seal() noexcept {
    if (filling_ == nullptr)
        return;
    chunk* full = std::exchange(filling_, nullptr);
    full->size = static_cast<std::size_t>(cur_ - start_);
    if (full->size == 0)
        pool_.release(full);
    else
        queue_.add(full);
    close_window();
}

void output::close_window() noexcept {
    start_ = cur_ = soft_ = end_ = nowhere;
    fast_end_ = nullptr;
}

// Where in the current chunk the gate closes.
void output::set_marks() noexcept {
    if (filling_ == nullptr)
        return;
    set_fast_end();
    const std::size_t before = buffered() - filling();
    const std::size_t below = before < high_water_ ? high_water_ - before : 0;
    soft_ = start_ + std::min(below, static_cast<std::size_t>(end_ - start_));
}

void output::keep_for_closings(std::size_t bytes) {
    if (bytes <= kept_capacity_)
        return;
    const std::size_t capacity = std::max(bytes, 2 * kept_capacity_);
    char* const larger = new char[capacity];
    std::memcpy(larger, kept_, kept_back_size_);
    if (kept_ != kept_inline_)
        delete[] kept_;
    kept_ = larger;
    kept_capacity_ = capacity;
}

void output::append_closing(const char* bytes, std::size_t size) noexcept {
    if (failed())
        return;
    const std::size_t fits = kept_back_size_ == 0 ? std::min(size, room()) : 0;
    std::memcpy(cur_, bytes, fits);
    cur_ += fits;
    char* kept = kept_;
    std::memcpy(kept + kept_back_size_, bytes + fits, size - fits);
    kept_back_size_ += size - fits;
    if (kept_back_size_ != 0) {
        // Everything else takes the slow path from here on, which writes what is kept back first.
        end_ = cur_;
        set_marks();
    }
}

// ---- failing ---------------------------------------------------------------------------------------------------

void output::fail(std::error_code error, std::string path, std::string detail) noexcept {
    if (failed())
        return;
    error_ = error;
    error_path_ = std::move(path);
    error_detail_ = std::move(detail);
    exceptions_ = &poisoned;
    if (filling_ != nullptr)
        pool_.release(std::exchange(filling_, nullptr));
    close_window();
    queue_.clear();
    kept_back_size_ = 0;
    if (writing_)
        sink_.cancel();
}

void output::throw_error() const {
    throw render_error(error_, error_path_.empty() ? std::string("$") : error_path_, error_detail_);
}

// ---- sending ---------------------------------------------------------------------------------------------------

void output::send(bool everything, bool last) noexcept {
    if (env_ != nullptr && coro::stop_requested(*env_)) { // not one byte more, though the request's post comes later
        fail(errc::cancelled, current_path(), "a stop was requested");
        return;
    }
    if (everything)
        seal();
    batch bytes = std::move(queue_);
    in_flight_ = bytes.size();
    writing_ = true;
    committed_ = true;
    last_sent_ = last;
    std::error_code error;
    if (sink_.write(std::move(bytes), last, *this, error) == sink::progress::done)
        ended(error);
}

// Whether any byte may go before the end does.
bool output::sendable() const noexcept {
    const std::size_t waiting = buffered() - in_flight_;
    switch (sealing()) {
    case 0:
        return waiting != 0;
    case 1:
        return kept_back_size_ != 0 ? waiting > kept_back_size_ : filling() != 0 && waiting > 1;
    default:
        return false;
    }
}

// What is there, also what was kept back.
void output::send_everything() noexcept {
    const bool last = waiting_for_end();
    if (!last && sealing() != 0) {
        send_all_but_sealing();
        return;
    }
    try {
        if (kept_back_size_ != 0)
            next_chunk();
    } catch (const std::system_error& thrown) {
        fail(thrown.code(), current_path(), {});
    } catch (...) {
        fail(std::make_error_code(std::errc::not_enough_memory), current_path(), {});
    }
    // Making room may have begun a write, or failed.
    if (!writing_ && !failed())
        send(true, last);
}

void output::send_all_but_sealing() noexcept {
    if (!sendable())
        return;
    if (kept_back_size_ == 0) {
        *kept_ = *--cur_;
        kept_back_size_ = 1;
    }
    send(true, false);
}

void output::ended(std::error_code error) noexcept {
    writing_ = false;
    if (!error)
        sent_ += in_flight_;
    in_flight_ = 0;
    if (error && stopping_)
        fail(errc::cancelled, {}, "a stop was requested");
    else if (error)
        fail(error, {}, "the sink failed: " + error.message());
    else
        set_marks();
}

void output::written(std::error_code error) noexcept {
    ended(error);
    go_on();
}

// ---- waiting ---------------------------------------------------------------------------------------------------

coro::chain_step output::wait(coro::environment& env, std::coroutine_handle<> coroutine, detail::wait_for wanted,
                              bool (*proceed)(void* object), void* object) noexcept {
    if (waiter_.coroutine) {
        fail(errc::parent_written_while_child_open, current_path(), "two coroutines wait for one output");
        return {&coro::resume_step, coroutine.address()};
    }
    waiter_ = {coroutine, &env, proceed, object, wanted};
    return {&start_wait, this};
}

std::coroutine_handle<> output::start_wait(void* object) noexcept {
    auto& self = *static_cast<output*>(object);
    if (self.waiter_.wanted == detail::wait_for::finish && self.env_ == nullptr)
        self.watch_stop(*self.waiter_.env); // the template's chain has ended: now it is who waits that is stopped
    if (!self.begin_wait())
        return nullptr;
    return std::exchange(self.waiter_.coroutine, nullptr);
}

// What a coroutine that waits for room waits for.
bool output::has_room() {
    if (sealing() == 0)
        return make_room();
    return buffered() < high_water_ || !(writing_ || sendable());
}

bool output::satisfied() {
    switch (waiter_.wanted) {
    case detail::wait_for::room:
        return failed() || ((waiter_.proceed == nullptr || waiter_.proceed(waiter_.object)) && has_room());
    case detail::wait_for::flush:
        return failed() || sealing() != 0 || (!writing_ && buffered() == 0);
    case detail::wait_for::finish:
        return !writing_ && (last_sent_ || failed());
    }
    return true;
}

// Returns true when there is nothing to wait for.
bool output::begin_wait() noexcept {
    for (;;) {
        try {
            if (satisfied()) {
                if (waiter_.wanted == detail::wait_for::finish && failed() && !last_sent_ && !aborted_) {
                    aborted_ = true;
                    sink_.abort();
                }
                return true;
            }
            if (waiter_.wanted == detail::wait_for::room)
                ++suspensions_;
            if (!writing_) {
                send_everything();
                if (!writing_)
                    continue;
            }
        } catch (const std::system_error& thrown) {
            fail(thrown.code(), current_path(), {});
            continue;
        } catch (...) {
            fail(std::make_error_code(std::errc::not_enough_memory), current_path(), {});
            continue;
        }
        waiting_ = true;
        return false;
    }
}

// A write has ended, or the render has failed: sends what waits, and resumes who waits for it.
void output::go_on() noexcept {
    if (!waiting_) {
        if (failed() || writing_ || sealing() != 0)
            return;
        if (linger_over_ && buffered() != 0)
            send_everything();
        else if (!queue_.empty())
            send(false, false);
        return;
    }
    if (waiter_.wanted == detail::wait_for::room) {
        while (!failed() && sendable() && buffered() > low_water_) {
            send_everything();
            if (writing_)
                return;
        }
        if (!failed() && !writing_ && !queue_.empty() && sealing() == 0)
            send(false, false);
    }
    waiting_ = false;
    if (!begin_wait())
        return;
    coro::environment& env = *waiter_.env;
    coro::run_chain(env, std::exchange(waiter_.coroutine, nullptr));
}

// ---- the chain -------------------------------------------------------------------------------------------------

void output::resumed() noexcept {
    linger_over_ = false;
    if (failed())
        return;
    exceptions_ = this_threads_exceptions();
    // Before what the chain awaited tells the template so: the failure is the request, not what the template makes of
    // it.
    if (env_ != nullptr && coro::stop_requested(*env_))
        fail(errc::cancelled, current_path(), "a stop was requested");
}

void output::suspending() noexcept {
    if (!committed_ || failed() || waiter_.coroutine || linger_timer_.pending() || buffered() == in_flight_ ||
        sealing() != 0)
        return;
    if (env_ == nullptr || env_->context == nullptr)
        return;
    try {
        const auto now = env_->context->now();
        const auto left = coro::scheduler::time_point::max() - now;
        env_->context->wait_until(linger_timer_,
                                  now + std::min<coro::scheduler::duration>(std::chrono::nanoseconds(linger_), left));
    } catch (...) {
        // Without the timer the bytes wait for the next write: late, not lost.
        return;
    }
}

void output::linger_over() noexcept {
    if (failed() || buffered() == in_flight_ || last_sent_ || sealing() != 0)
        return;
    if (writing_) {
        linger_over_ = true; // what is there goes as soon as the write has ended
        return;
    }
    send_everything();
    if (!writing_ && failed())
        go_on();
}

void output::abandoned() noexcept {
    fail(errc::abandoned, {}, "its task was destroyed before it had finished");
    // Whoever waits is part of what is being destroyed; a write that ends later must not resume it.
    waiter_.coroutine = nullptr;
    waiting_ = false;
}

// May run on another thread than the chain's.
void output::stop_requested() noexcept {
    if (env_->context == nullptr)
        stop();
    else
        env_->context->post(stopper_);
}

void output::stop() noexcept {
    if (failed())
        return;
    if (last_sent_) {
        // The write may be faster than the request: then the document is whole.
        if (writing_) {
            stopping_ = true;
            sink_.cancel();
        }
        return;
    }
    fail(errc::cancelled, current_path(), "a stop was requested");
    if (!writing_)
        go_on();
}

} // namespace sluice
