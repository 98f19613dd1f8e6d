#include <sluice/coro/this_chain.hpp>

namespace sluice::coro {

std::coroutine_handle<> yield::start(void* object) noexcept {
    auto& self = *static_cast<yield*>(object);
    if (stop_requested(*self.env_))
        return self.waiting_;
    try {
        if (self.env_->context == nullptr)
            throw no_scheduler();
        self.env_->context->post(self);
    } catch (...) {
        self.error_ = std::current_exception();
        return self.waiting_;
    }
    return nullptr;
}

void yield::await_resume() const {
    if (error_)
        std::rethrow_exception(error_);
    if (stop_requested(*env_))
        throw operation_cancelled();
}

} // namespace sluice::coro
