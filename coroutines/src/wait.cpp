#include <sluice/coro/wait.hpp>

namespace sluice::coro::detail {

std::coroutine_handle<> timer_wait::start(void* object) noexcept {
    auto& self = *static_cast<timer_wait*>(object);
    try {
        self.begin();
    } catch (...) {
        self.error_ = std::current_exception();
    }
    return self.pending() ? nullptr : self.waiting_;
}

void timer_wait::begin() {
    if (stop_requested(*env_))
        throw operation_cancelled();
    if (env_->context == nullptr)
        throw no_scheduler();
    const scheduler::time_point now = env_->context->now();
    if (relative_) {
        // A delay past the end of time waits until then.
        const auto left = scheduler::time_point::max() - now;
        when_ = delay_ < left ? now + delay_ : scheduler::time_point::max();
    }
    if (when_ <= now)
        return;
    env_->context->wait_until(*this, when_);
    // May post the canceller, but this scheduler runs it only after the start: it is a serial context.
    on_stop_.emplace(stop_token_of(*env_), stop_handler{*this});
}

void timer_wait::run() noexcept {
    on_stop_.reset();
    canceller_.withdraw();
    run_chain(*env_, waiting_);
}

void timer_wait::cancelled() noexcept {
    on_stop_.reset();
    withdraw();
    error_ = std::make_exception_ptr(operation_cancelled());
    run_chain(*env_, waiting_);
}

} // namespace sluice::coro::detail
