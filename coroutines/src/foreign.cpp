#include <sluice/coro/foreign.hpp>
#include <sluice/coro/scheduler.hpp>

namespace sluice::coro::detail {

bridge run_bridge(foreign_wait* wait) {
    wait->fire();
    co_return;
}

bridge_handle foreign_wait::make_bridge() {
    bridge_ = run_bridge(this).handle;
    return bridge_;
}

void foreign_wait::drop_bridge() noexcept {
    if (bridge_ && state_.load(std::memory_order_relaxed) != fired)
        bridge_.destroy();
    bridge_ = nullptr;
}

// Both sides exchange once. Whoever comes second goes on with the chain: `started` in the loop that is running already,
// `fire` by entering it. acq_rel: the results written before `fire` are seen by the chain, and what `started` left
// behind is seen by the thread that goes on.
std::coroutine_handle<> foreign_wait::started() noexcept {
    std::coroutine_handle<> waiting = waiting_;
    if (state_.exchange(waiting_for_it, std::memory_order_acq_rel) == fired) {
        state_.store(fired, std::memory_order_relaxed);
        return waiting;
    }
    return nullptr;
}

void foreign_wait::fire() noexcept {
    // Read first: once the exchange finds `starting`, the starter owns the object again.
    environment* const env = env_;
    if (state_.exchange(fired, std::memory_order_acq_rel) != waiting_for_it)
        return;
    if (env->context != nullptr)
        env->context->post(*this);
    else
        run_chain(*env, waiting_);
}

void foreign_wait::run() noexcept {
    run_chain(*env_, waiting_);
}

foreign_wait::~foreign_wait() {
    if (bridge_ && state_.load(std::memory_order_relaxed) != fired)
        bridge_.destroy();
}

} // namespace sluice::coro::detail
