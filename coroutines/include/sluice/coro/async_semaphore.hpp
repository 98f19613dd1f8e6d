// async_semaphore: permits that coroutines wait for, first come, first served.
#pragma once

#include <sluice/coro/wait_queue.hpp>

#include <cstddef>

namespace sluice::coro {

/// Counts permits. Thread-safety: every function from any thread; each waiting coroutine is resumed on its own chain's
/// scheduler. Fair: a released permit goes to whoever waits longest, never past it to a newcomer. Must outlive what
/// waits for it. Nothing is allocated.
class async_semaphore : private detail::wait_queue {
public:
    explicit async_semaphore(std::size_t permits) noexcept : permits_(permits) {}

    /// Gives permits back, or adds some. Runs no coroutine itself: those who get them are posted. A scheduler whose
    /// post throws ends the program.
    void release(std::size_t permits = 1) noexcept {
        const std::lock_guard lock(mutex_);
        while (permits > 0 && wake_one())
            --permits;
        permits_ += permits;
    }

    /// Takes a permit if one is free; then nobody waits.
    [[nodiscard]] bool try_acquire() noexcept {
        const std::lock_guard lock(mutex_);
        return try_take();
    }

    /// Permits that are free at this moment.
    std::size_t available() const noexcept {
        const std::lock_guard lock(mutex_);
        return permits_;
    }

    /// Awaitable: completes when this wait has a permit, at once where one is free. Whoever has one calls release; a
    /// holder does that in its destructor.
    ///
    /// In flight together: any number. Throws operation_cancelled when the chain is asked to stop while it waits (a
    /// free permit wins), no_scheduler where it would have to wait without one; then it has no permit. Destroying it
    /// takes it out of the queue; a permit that it had already been given goes to the next.
    ///
    ///     co_await slots.acquire();
    ///     const async_semaphore::holder hold(slots);
    [[nodiscard]] detail::queued_wait acquire() noexcept { return detail::queued_wait(*this); }

    /// Owns a permit that was acquired, and releases it.
    class [[nodiscard]] holder {
    public:
        explicit holder(async_semaphore& semaphore) noexcept : semaphore_(semaphore) {}
        holder(const holder&) = delete;
        holder& operator=(const holder&) = delete;
        ~holder() { semaphore_.release(); }

    private:
        async_semaphore& semaphore_;
    };

private:
    bool try_take() noexcept override {
        if (permits_ == 0)
            return false;
        --permits_;
        return true;
    }
    void give_back() noexcept override { release(); }

    std::size_t permits_; // under the mutex; not 0 only while nobody waits
};

} // namespace sluice::coro
