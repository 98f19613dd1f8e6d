// holding_sink: a sink that takes nothing until it is told to, so that back-pressure is proved with a pipe that holds
// nothing.
#pragma once

#include <sluice/coro/scheduler.hpp>
#include <sluice/output/batch.hpp>
#include <sluice/output/sink.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

namespace sluice::testing {

/// Each write is pending until its bytes have been accepted; then `written` is called from a post on the scheduler.
/// The bytes are read when they are accepted, not before: a buffer that changes, or goes, while it is in flight shows.
/// Not thread-safe. The scheduler outlives the sink.
class holding_sink final : public sink, private coro::scheduled {
public:
    static constexpr std::size_t everything = std::numeric_limits<std::size_t>::max();

    explicit holding_sink(coro::scheduler& scheduler) noexcept : scheduler_(scheduler) {}

    // ---- the test's side -----------------------------------------------------------------------------------------

    /// Takes up to `most` bytes of the pending write; returns how many. Nothing is saved up for a later write.
    std::size_t accept(std::size_t most = everything);
    /// From now on takes every write by itself, when the scheduler comes to it. Also the pending one.
    void accept_everything();
    /// The n-th write from now, 0 the next, fails when it would be taken, after `taken` bytes of it.
    void fail_write(std::size_t n, std::error_code error, std::size_t taken = 0) noexcept;

    /// What has been accepted.
    const std::string& received() const noexcept { return received_; }
    /// Size of each write so far, the pending one included.
    const std::vector<std::size_t>& writes() const noexcept { return writes_; }
    /// Bytes of the pending write that have not been accepted.
    std::size_t held() const noexcept { return held_; }
    bool writing() const noexcept { return listener_ != nullptr; }
    /// The write that is said to be the last has ended, without an error.
    bool complete() const noexcept { return complete_; }
    bool aborted() const noexcept { return aborted_; }
    bool cancelled() const noexcept { return cancelled_; }
    bool detached() const noexcept { return detached_; }
    /// Breaches of the sink's contract: a write while one is pending, after a failure, after the last, after detach or
    /// abort, or an empty one that is not the last. Empty when there was none.
    const std::string& misuse() const noexcept { return misuse_; }

    // ---- the output's side ---------------------------------------------------------------------------------------

    progress write(batch&& bytes, bool last, write_listener& listener, std::error_code& error) noexcept override;
    bool synchronous() const noexcept override { return false; }
    void cancel() noexcept override;
    void detach() noexcept override;
    void abort() noexcept override;

private:
    void run() noexcept override;
    void end_soon(std::error_code error);
    void blame(const char* what) noexcept;

    coro::scheduler& scheduler_;
    std::string received_;
    std::vector<std::size_t> writes_;
    std::string misuse_;
    batch pending_;
    std::size_t held_ = 0;
    write_listener* listener_ = nullptr;
    std::error_code outcome_;
    std::error_code planned_error_;
    std::size_t planned_write_ = everything; // counted down by each write
    std::size_t planned_taken_ = 0;
    bool ended_ = false; // its report is on the way
    bool accepts_everything_ = false;
    bool last_ = false;
    bool complete_ = false;
    bool failed_ = false;
    bool aborted_ = false;
    bool cancelled_ = false;
    bool detached_ = false;
};

} // namespace sluice::testing
