// What an await throws when its chain was asked to stop while it waited.
#pragma once

#include <exception>

namespace sluice::coro {

/// Thrown by the waits of this library (timers, events, semaphores) when the stop token of their chain is signalled
/// before they complete. Let it pass: the runner that asked for the stop expects it.
class operation_cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "sluice: the operation was cancelled"; }
};

/// Thrown by an await that needs a scheduler in a chain that was started without one.
class no_scheduler : public std::exception {
public:
    const char* what() const noexcept override { return "sluice: the chain has no scheduler"; }
};

} // namespace sluice::coro
