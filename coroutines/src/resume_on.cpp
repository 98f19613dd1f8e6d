#include <sluice/coro/resume_on.hpp>

#include <stdexcept>

namespace sluice::coro {

std::coroutine_handle<> resume_on::start(void* object) noexcept {
    auto& self = *static_cast<resume_on*>(object);
    scheduler* const from = self.env_->context;
    try {
        if (self.env_->observer != nullptr)
            throw std::logic_error("sluice: a render cannot leave its scheduler: use on(scheduler, task)");
        self.env_->context = &self.where_; // before the post: the chain may run at once, elsewhere
        self.where_.post(self);
    } catch (...) {
        self.env_->context = from;
        self.error_ = std::current_exception();
        return self.waiting_;
    }
    return nullptr;
}

} // namespace sluice::coro
