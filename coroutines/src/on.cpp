#include <sluice/coro/on.hpp>
#include <sluice/coro/operation_cancelled.hpp>

namespace sluice::coro::detail {

void remote_run::begin(scheduler& where, environment& home, std::coroutine_handle<> waiting) {
    where_ = &where;
    home_ = &home;
    waiting_ = waiting;
    const std::lock_guard lock(mutex_); // until it is posted and the state says so
    where.post(outward_);
    state_ = state::away;
}

void remote_run::arrived() noexcept {
    bool dropped = false;
    {
        const std::lock_guard lock(mutex_);
        dropped = state_ == state::dropped;
    }
    if (dropped) {
        delete this;
        return;
    }
    start_task(*where_, token_,
               {[](void* object) noexcept -> std::coroutine_handle<> {
                    static_cast<remote_run*>(object)->ended();
                    return nullptr;
                },
                this});
}

void remote_run::ended() noexcept {
    {
        const std::lock_guard lock(mutex_);
        if (state_ != state::dropped) {
            state_ = state::back;
            home_->context->post(homeward_); // under the lock: drop finds it posted or not yet back
            return;
        }
    }
    delete this;
}

void remote_run::returned() noexcept {
    // The other thread may still hold the mutex, which the coroutine is about to destroy.
    {
        const std::lock_guard lock(mutex_);
    }
    run_chain(*home_, waiting_);
}

void remote_run::drop() noexcept {
    std::stop_source stop = stop_; // this may be gone as soon as it is dropped
    bool away = false;
    {
        const std::lock_guard lock(mutex_);
        away = state_ == state::away;
        if (away)
            state_ = state::dropped;
    }
    if (away)
        stop.request_stop();
    else
        delete this;
}

on_base::~on_base() {
    on_stop_.reset();
    run_.drop();
}

std::coroutine_handle<> on_base::start(void* object) noexcept {
    auto& self = *static_cast<on_base*>(object);
    try {
        if (self.env_->context == nullptr)
            throw no_scheduler();
        self.on_stop_.emplace(stop_token_of(*self.env_), stop_handler{self.run_.stop()});
        self.run_.begin(self.where_, *self.env_, self.waiting_);
    } catch (...) {
        self.error_ = std::current_exception();
        return self.waiting_;
    }
    return nullptr;
}

void on_base::resumed() {
    on_stop_.reset();
    if (error_)
        std::rethrow_exception(std::exchange(error_, nullptr));
}

} // namespace sluice::coro::detail
