// The scheduler interface: every clock and every hop of the library goes through it.
//
// net/ implements it on an Asio executor, testing/ on virtual time, `sync_wait` on the calling thread. A scheduler is a
// serial context: what it runs, it runs one after another, and its functions are called from what it runs (`post` alone
// may be called from any thread).
#pragma once

#include <sluice/coro/scheduled.hpp>

#include <chrono>

namespace sluice::coro {

class scheduler {
public:
    using clock = std::chrono::steady_clock;
    using time_point = clock::time_point;
    using duration = clock::duration;

    /// The scheduler's own time: real or virtual.
    virtual time_point now() const noexcept = 0;

    /// Runs `item` soon, in the order of posting, never from inside this call. From any thread. Throws std::bad_alloc
    /// at most.
    virtual void post(scheduled& item) = 0;

    /// Runs `item` once `now() >= when`, never from inside this call. Throws std::bad_alloc at most.
    virtual void wait_until(scheduled& item, time_point when) = 0;

protected:
    virtual ~scheduler() = default;

private:
    friend class scheduled;
    /// Forgets a pending item. Called by `scheduled::withdraw`, in the scheduler's own context.
    virtual void forget(scheduled& item) noexcept = 0;
};

} // namespace sluice::coro
