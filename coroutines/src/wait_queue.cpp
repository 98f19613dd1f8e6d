#include <sluice/coro/wait_queue.hpp>

namespace sluice::coro::detail {

void wait_queue::link(queued_wait& wait) noexcept {
    wait.next_ = nullptr;
    wait.previous_ = last_;
    (last_ != nullptr ? last_->next_ : first_) = &wait;
    last_ = &wait;
}

void wait_queue::unlink(queued_wait& wait) noexcept {
    (wait.previous_ != nullptr ? wait.previous_->next_ : first_) = wait.next_;
    (wait.next_ != nullptr ? wait.next_->previous_ : last_) = wait.previous_;
}

bool wait_queue::wake_one() noexcept {
    queued_wait* const wait = first_;
    if (wait == nullptr)
        return false;
    unlink(*wait);
    wait->state_ = queued_wait::state::granted;
    wait->env_->context->post(*wait);
    return true;
}

queued_wait::~queued_wait() {
    if (resumed_)
        return;
    on_stop_.reset(); // not under the mutex: waits for a running callback, which takes it
    bool unused = false;
    {
        const std::lock_guard lock(queue_.mutex_);
        if (state_ == state::queued)
            queue_.unlink(*this);
        unused = state_ == state::granted;
        state_ = state::dropped;
    }
    withdraw();
    if (unused)
        queue_.give_back();
}

bool queued_wait::await_ready() noexcept {
    const std::lock_guard lock(queue_.mutex_);
    if (!queue_.try_take())
        return false;
    state_ = state::granted;
    return true;
}

std::coroutine_handle<> queued_wait::start(void* object) noexcept {
    auto& self = *static_cast<queued_wait*>(object);
    if (self.env_->context == nullptr) {
        self.state_ = state::no_scheduler;
        return self.waiting_;
    }
    // Before it is queued: once it is, another thread may complete it, and nothing here may touch it.
    self.on_stop_.emplace(stop_token_of(*self.env_), stop_handler{self});
    const std::lock_guard lock(self.queue_.mutex_);
    if (self.state_ == state::cancelled)
        return self.waiting_;
    if (self.queue_.try_take()) {
        self.state_ = state::granted;
        return self.waiting_;
    }
    self.state_ = state::queued;
    self.queue_.link(self);
    return nullptr;
}

// On the thread that asks for the stop.
void queued_wait::cancel() noexcept {
    const std::lock_guard lock(queue_.mutex_);
    if (state_ == state::queued) {
        queue_.unlink(*this);
        state_ = state::cancelled;
        env_->context->post(*this);
    } else if (state_ == state::idle) {
        state_ = state::cancelled;
    }
}

void queued_wait::run() noexcept {
    // Whoever posted this may still hold the mutex, and the coroutine may destroy it.
    {
        const std::lock_guard lock(queue_.mutex_);
    }
    run_chain(*env_, waiting_);
}

void queued_wait::await_resume() {
    on_stop_.reset();
    resumed_ = true;
    if (state_ == state::cancelled)
        throw operation_cancelled();
    if (state_ == state::no_scheduler)
        throw coro::no_scheduler();
}

} // namespace sluice::coro::detail
