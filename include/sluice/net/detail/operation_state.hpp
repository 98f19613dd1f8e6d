// What an Asio operation and the await that started it share.
//
// The await lives in a coroutine frame, which may be destroyed while the operation is pending; the operation's handler
// lives as long as Asio likes. So the state has a reference of each, and each tells the other through one atomic what
// it has done. Where the chain's scheduler is an executor_scheduler the handler runs in the chain's own context and
// goes on with it; else the chain is posted to its scheduler.
#pragma once

#include <sluice/coro/chain_stop.hpp>
#include <sluice/coro/frame_pool.hpp>
#include <sluice/coro/scheduler.hpp>
#include <sluice/net/detail/pool_allocator.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <atomic>
#include <coroutine>
#include <optional>
#include <stop_token>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sluice::net::detail {

class operation_state : public coro::pooled_frame, private coro::scheduled {
public:
    boost::asio::any_io_executor executor() const noexcept { return executor_; }
    boost::asio::cancellation_slot slot() noexcept { return signal_.slot(); }

    // ---- of the await, in the chain's context ------------------------------------------------------------------

    /// From now on a stop request cancels the operation.
    void watch_stop();
    /// The operation has been initiated. Returns the coroutine when it has completed already; else it may be gone.
    std::coroutine_handle<> started() noexcept;
    /// The chain goes on: nothing cancels the operation any more.
    void finish() noexcept { on_stop_.reset(); }
    /// The await is destroyed: gives up its reference, and cancels the operation where that is still pending.
    void leave() noexcept;

    // ---- of the handler ----------------------------------------------------------------------------------------

    /// Invoked, with the results in place: gives up the handler's reference and goes on with the chain.
    void complete() noexcept;
    /// Destroyed without having been invoked: gives up the handler's reference.
    void drop() noexcept;

protected:
    /// `io`: where the operation runs, used when the chain does not run on an executor itself.
    operation_state(coro::environment& env, std::coroutine_handle<> waiting, boost::asio::any_io_executor io) noexcept;
    ~operation_state() override;

private:
    enum class phase : unsigned char { starting, waiting, completed, abandoned, dropped };

    struct stop_handler {
        operation_state* state;
        void operator()() const noexcept { state->cancel_soon(); }
    };
    class canceller;

    void cancel_soon() noexcept;
    void release() noexcept;
    void run() noexcept override;

    coro::environment& env_;
    std::coroutine_handle<> waiting_;
    boost::asio::any_io_executor executor_;
    boost::asio::cancellation_signal signal_;
    std::optional<std::stop_callback<stop_handler>> on_stop_;
    bool hops_ = false;  // the handler runs elsewhere than the chain
    bool taken_ = false; // the starter went on with the chain
    std::atomic<bool> posted_{false};
    std::atomic<phase> phase_{phase::starting};
    std::atomic<int> references_{2};
};

template <class... Args>
class operation_results final : public operation_state {
public:
    operation_results(coro::environment& env, std::coroutine_handle<> waiting, boost::asio::any_io_executor io) noexcept
        : operation_state(env, waiting, std::move(io)) {}

    std::optional<std::tuple<std::decay_t<Args>...>> values;
};

template <class... Args>
class operation_handler {
public:
    using executor_type = boost::asio::any_io_executor;
    using cancellation_slot_type = boost::asio::cancellation_slot;
    using allocator_type = pool_allocator<void>;

    explicit operation_handler(operation_results<Args...>& state) noexcept : state_(&state) {}
    operation_handler(operation_handler&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    operation_handler& operator=(operation_handler&& other) noexcept {
        std::swap(state_, other.state_);
        return *this;
    }
    ~operation_handler() {
        if (state_ != nullptr)
            state_->drop();
    }

    executor_type get_executor() const noexcept { return state_->executor(); }
    cancellation_slot_type get_cancellation_slot() const noexcept { return state_->slot(); }
    allocator_type get_allocator() const noexcept { return {}; }

    template <class... Values>
    void operator()(Values&&... values) {
        state_->values.emplace(static_cast<Values&&>(values)...);
        std::exchange(state_, nullptr)->complete();
    }

private:
    operation_results<Args...>* state_;
};

} // namespace sluice::net::detail
