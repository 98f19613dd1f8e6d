// executor_scheduler: the library's scheduler interface on an Asio executor.
#pragma once

#include <sluice/coro/scheduler.hpp>

#include <boost/asio/any_io_executor.hpp>

namespace sluice::net {

/// Runs posts and timers on an executor, in its context: the handlers of Asio operations that are bound to the same
/// executor are serial with them.
///
/// A scheduler is a serial context, so the executor must be one: an io_context that one thread runs, or a strand.
/// (A chain that only ever waits for one operation at a time, and is never asked to stop from elsewhere, is serial by
/// itself on any executor.)
/// Lifetimes: outlives the chains that run on it and what they have scheduled. The executor's context may be destroyed
/// first: what is pending then never runs.
/// What is pending counts as outstanding work of the context. Storage comes from coro::frame_pool.
class executor_scheduler final : public coro::scheduler {
public:
    explicit executor_scheduler(boost::asio::any_io_executor executor);
    executor_scheduler(const executor_scheduler&) = delete;
    executor_scheduler& operator=(const executor_scheduler&) = delete;
    ~executor_scheduler() override = default;

    const boost::asio::any_io_executor& executor() const noexcept { return executor_; }

    /// The real time, or that of the context's time source (see time_source.hpp).
    time_point now() const noexcept override;
    void post(coro::scheduled& item) override;
    void wait_until(coro::scheduled& item, time_point when) override;

private:
    class ticket;
    void forget(coro::scheduled& item) noexcept override;

    boost::asio::any_io_executor executor_;
    coro::scheduler* clock_; // null: real time
};

/// The executor of a chain that runs on Asio, given its scheduler:
///
///     auto executor = net::executor_of(co_await coro::current_scheduler());
///
/// Throws coro::no_scheduler where the scheduler is not an executor_scheduler.
boost::asio::any_io_executor executor_of(coro::scheduler& scheduler);

} // namespace sluice::net
