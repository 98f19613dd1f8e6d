// simulation: an io_context with a manual clock, run together on the test's own thread.
//
// The library's timers on this context are virtual. (An unmodified steady_timer on it still waits in real time, and a
// simulation does not wait for it.)
#pragma once

#include <sluice/testing/manual_clock.hpp>

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <cstdint>

namespace sluice::testing {

/// Runs handlers of the context and steps of the clock, one at a time, in the same order on every run; the time moves
/// only when nothing else is to be done. One thread.
class simulation {
public:
    simulation();
    simulation(const simulation&) = delete;
    simulation& operator=(const simulation&) = delete;
    /// Destroys what is still pending, uncalled, as an io_context does.
    ~simulation();

    boost::asio::io_context& context() noexcept { return context_; }
    boost::asio::io_context::executor_type executor() noexcept { return context_.get_executor(); }
    manual_clock& clock() noexcept { return clock_; }

    /// Runs one handler or step that is ready now. False when none is.
    bool run_one();
    /// Runs until nothing is ready; the time stands still. Returns the number of handlers and steps.
    std::size_t run_until_idle();
    /// Moves the time on by `by`, running what becomes ready on the way at its time.
    std::size_t advance(manual_clock::duration by);
    /// Runs until nothing is ready and no timer is pending, moving the time on from timer to timer.
    std::size_t run();

    /// Handlers and steps run so far.
    std::uint64_t steps() const noexcept { return steps_; }
    /// A call that runs more than this throws std::runtime_error. Default ten million.
    void limit_steps(std::uint64_t most) noexcept { limit_ = most; }

private:
    std::size_t settle(std::uint64_t begun);

    manual_clock clock_; // outlives what the context holds
    boost::asio::io_context context_;
    std::uint64_t steps_ = 0;
    std::uint64_t limit_ = 10'000'000;
};

} // namespace sluice::testing
