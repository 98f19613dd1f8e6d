// manual_clock: a scheduler on virtual time, which a test runs.
//
//     testing::manual_clock clock;
//     coro::chain<void> chain(poll_for_a_day(), {&clock, {}});
//     chain.start(...);
//     clock.run();        // a day takes a millisecond, with the same result on every run
#pragma once

#include <sluice/coro/scheduler.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace sluice::testing {

/// Time stands still except where a test moves it. What is due runs in order: first posts, as they were posted, then
/// timers, by their time and, at one time, as they were started. Each of them is one step.
/// Thread-safety: `post` from any thread; the rest on the thread that runs it. What is pending when the clock is
/// destroyed never runs.
class manual_clock final : public coro::scheduler {
public:
    /// The time starts an hour after the clock's epoch, unless told otherwise.
    explicit manual_clock(time_point start = time_point(std::chrono::hours(1))) noexcept : now_(start) {}
    manual_clock(const manual_clock&) = delete;
    manual_clock& operator=(const manual_clock&) = delete;
    ~manual_clock() override;

    time_point now() const noexcept override { return now_; }
    void post(coro::scheduled& item) override;
    void wait_until(coro::scheduled& item, time_point when) override;

    /// Runs one step that is due now. False when nothing is.
    bool run_one();
    /// Runs what is due now, and what becomes due by that; returns the number of steps. The time does not move.
    std::size_t run_until_idle();
    /// Moves the time on by `by`, and runs each timer on the way at its own time.
    std::size_t advance(duration by);
    /// Runs until nothing is pending, moving the time on from timer to timer.
    std::size_t run();

    /// Moves the time to the next timer's, running nothing. False when there is no timer, or it is due already.
    bool advance_to_next() noexcept;
    /// When the next timer is due.
    std::optional<time_point> next_timer() const noexcept;
    std::size_t pending_timers() const noexcept { return timers_.size(); }

    /// Steps run so far.
    std::uint64_t steps() const noexcept { return steps_; }
    /// A call that runs more steps than this throws std::runtime_error, so that a test that would not end fails.
    /// Default ten million.
    void limit_steps(std::uint64_t most) noexcept { limit_ = most; }

private:
    using key = std::pair<time_point, std::uint64_t>;

    void forget(coro::scheduled& item) noexcept override;
    void check_limit(std::uint64_t begun) const;

    time_point now_;
    std::map<key, coro::scheduled*> timers_; // a timer's ticket is its element; a post's is null
    std::uint64_t next_order_ = 0;
    std::uint64_t steps_ = 0;
    std::uint64_t limit_ = 10'000'000;
    std::mutex mutex_;
    coro::scheduled_queue posted_; // under the mutex
};

} // namespace sluice::testing
