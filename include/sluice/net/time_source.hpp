// The time of an execution context: real, unless a test says otherwise.
#pragma once

#include <sluice/coro/scheduler.hpp>

#include <boost/asio/execution_context.hpp>

namespace sluice::net {

/// From now on, schedulers that are made for an executor of `context` tell the time by `clock` and let it run their
/// timers; their posts go through the executor as ever, and so does a timer when its time has come. Null: real time
/// again. `clock` outlives those schedulers. It does not count as work of the context: see testing::simulation.
void set_time_source(boost::asio::execution_context& context, coro::scheduler* clock);

/// The clock that was set; null where the time is real.
coro::scheduler* time_source(boost::asio::execution_context& context);

} // namespace sluice::net
