// run_loop: a scheduler that runs posts and timers on the thread that calls its run().
//
// sync_wait has one of its own; a thread of a program's own pool can be one. Its clock is the real one.
#pragma once

#include <sluice/coro/scheduler.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace sluice::coro {

/// Thread-safety: post and finish from any thread, the rest on the thread that runs it (or before it runs). A post
/// allocates nothing; a timer only when more are pending than ever before. What is pending when the loop is destroyed
/// never runs.
class run_loop final : public scheduler {
public:
    run_loop() = default;
    run_loop(const run_loop&) = delete;
    run_loop& operator=(const run_loop&) = delete;
    ~run_loop() override;

    time_point now() const noexcept override { return clock::now(); }
    void post(scheduled& item) override;
    void wait_until(scheduled& item, time_point when) override;

    /// Runs posts in their order and timers in the order of their times, those that are due before posts, until finish
    /// is called; blocks while there is nothing to run. Then it may be called again.
    void run();

    /// Makes run return after the item that it is running, now or when it is called next.
    void finish() noexcept;

private:
    struct timer {
        time_point when;
        std::uint64_t order; // of timers for the same time
        scheduled* item;
        bool operator<(const timer& other) const noexcept {
            return when != other.when ? when < other.when : order < other.order;
        }
    };

    void forget(scheduled& item) noexcept override;
    scheduled* take_timer(time_point until) noexcept;
    void remove_timer(std::size_t index) noexcept;
    void place(std::size_t index, const timer& entry) noexcept;
    void sift_up(std::size_t index, const timer& entry) noexcept;
    void sift_down(std::size_t index, const timer& entry) noexcept;

    std::mutex mutex_;
    std::condition_variable wake_;
    scheduled_queue posted_;    // under the mutex
    bool finished_ = false;     // under the mutex
    bool sleeping_ = false;     // under the mutex
    std::vector<timer> timers_; // a binary heap; of the running thread alone. A timer's ticket is its index + 1.
    std::uint64_t next_order_ = 0;
};

} // namespace sluice::coro
