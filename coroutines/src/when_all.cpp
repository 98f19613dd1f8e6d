#include <sluice/coro/when_all.hpp>

namespace sluice::coro::detail {

std::coroutine_handle<> when_all_group::start(void* object) noexcept {
    auto& self = *static_cast<when_all_group*>(object);
    if (self.several_) {
        try {
            self.children_ = std::stop_source();
        } catch (...) {
            self.error_ = std::current_exception();
            return self.waiting_;
        }
        self.own_stop_.token = self.children_.get_token();
        self.stop_ = &self.own_stop_;
        self.on_stop_.emplace(stop_token_of(*self.env_), stop_handler{self.children_});
    } else {
        self.stop_ = self.env_->stop; // an only child has nobody to be stopped by
    }
    const std::coroutine_handle<> waiting = self.waiting_;
    self.start_children();
    // acq_rel: what children did on other threads is seen by whoever comes last and goes on with the parent.
    return self.remaining_.fetch_sub(1, std::memory_order_acq_rel) == 1 ? waiting : nullptr;
}

void when_all_group::child_ended(std::size_t number, bool failed, const scheduler* where) noexcept {
    if (failed) {
        std::size_t none = 0;
        if (first_failed_.compare_exchange_strong(none, number, std::memory_order_relaxed))
            children_.request_stop();
    }
    scheduler* const home = env_->context;
    if (remaining_.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    if (where == home || home == nullptr)
        run_chain(*env_, waiting_);
    else
        home->post(*this);
}

std::size_t when_all_group::ended() {
    on_stop_.reset();
    if (error_)
        std::rethrow_exception(error_);
    return first_failed_.load(std::memory_order_relaxed);
}

} // namespace sluice::coro::detail
