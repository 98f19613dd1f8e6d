// async_manual_reset_event: a flag that coroutines wait for.
#pragma once

#include <sluice/coro/wait_queue.hpp>

namespace sluice::coro {

/// Starts unset unless told otherwise. Thread-safety: every function from any thread; each waiting coroutine is resumed
/// on its own chain's scheduler. Must outlive what waits for it; may be destroyed by the coroutine that it has just
/// woken. Nothing is allocated.
class async_manual_reset_event : private detail::wait_queue {
public:
    explicit async_manual_reset_event(bool set = false) noexcept : set_(set) {}

    /// Sets it: what waits is completed, what will wait is ready, until reset. Runs no coroutine itself: each is
    /// posted. A scheduler whose post throws ends the program.
    void set() noexcept {
        const std::lock_guard lock(mutex_);
        set_ = true;
        while (wake_one()) {
        }
    }

    /// Unsets it, for what waits from now on.
    void reset() noexcept {
        const std::lock_guard lock(mutex_);
        set_ = false;
    }

    bool is_set() const noexcept {
        const std::lock_guard lock(mutex_);
        return set_;
    }

    /// Awaitable: completes when the event is set, at once where it is; with the next reset it stays complete.
    ///
    /// In flight together: any number. Throws operation_cancelled when the chain is asked to stop while it waits (a set
    /// event wins), no_scheduler where it would have to wait without one. Destroying it takes it out of the queue.
    ///
    ///     co_await ready.wait();
    [[nodiscard]] detail::queued_wait wait() noexcept { return detail::queued_wait(*this); }

private:
    bool try_take() noexcept override { return set_; }
    void give_back() noexcept override {}

    bool set_; // under the mutex
};

} // namespace sluice::coro
