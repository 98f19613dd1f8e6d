#include <sluice/coro/async_scope.hpp>
#include <sluice/coro/operation_cancelled.hpp>

#include <cassert>

namespace sluice::coro {

class async_scope::child final : public scheduled, public pooled_frame {
public:
    child(async_scope& scope, task<> work, environment env) noexcept
        : scope_(scope), chain_(std::move(work), env) {}

    std::exception_ptr error(bool stopping) noexcept {
        if (!chain_.failed())
            return nullptr;
        try {
            chain_.result();
        } catch (const operation_cancelled&) {
            return stopping ? nullptr : std::current_exception();
        } catch (...) {
            return std::current_exception();
        }
        return nullptr;
    }

    child* next = nullptr; // under the scope's mutex, as the other
    child* previous = nullptr;

private:
    void run() noexcept override {
        chain_.start({[](void* object) noexcept -> std::coroutine_handle<> {
                          auto& self = *static_cast<child*>(object);
                          self.scope_.ended(self);
                          return nullptr;
                      },
                      this});
    }

    async_scope& scope_;
    chain<void> chain_;
};

async_scope::async_scope(scheduler& where, std::stop_token stop) : where_(where) {
    on_stop_.emplace(std::move(stop), stop_handler{*this});
}

async_scope::~async_scope() {
    on_stop_.reset();
    assert(joining_ == nullptr && "a scope outlives its join");
    while (newest_ != nullptr) {
        child* const dropped = newest_;
        unlink(*dropped); // so that newest_ is another: NOLINT(clang-analyzer-cplusplus.NewDelete)
        delete dropped;
    }
}

void async_scope::spawn(task<> work) {
    auto* const added = new child(*this, std::move(work), environment(&where_, &token_));
    const std::lock_guard lock(mutex_);
    try {
        where_.post(*added); // under the lock: once it is posted it may run and end
    } catch (...) {
        delete added;
        throw;
    }
    added->next = newest_;
    if (newest_ != nullptr)
        newest_->previous = added;
    newest_ = added;
    ++running_;
}

std::size_t async_scope::running() const noexcept {
    const std::lock_guard lock(mutex_);
    return running_;
}

void async_scope::unlink(child& which) noexcept {
    (which.previous != nullptr ? which.previous->next : newest_) = which.next;
    if (which.next != nullptr)
        which.next->previous = which.previous;
}

void async_scope::ended(child& which) noexcept {
    std::exception_ptr error = which.error(stop_.stop_requested());
    const bool failed = error != nullptr;
    {
        const std::lock_guard lock(mutex_);
        unlink(which);
        if (failed && first_error_ == nullptr)
            first_error_ = std::move(error);
    }
    if (failed)
        request_stop();
    error = nullptr;
    delete &which; // runs the destructors of the task's parameters: not under the lock, and before the join completes
    const std::lock_guard lock(mutex_);
    if (--running_ == 0 && joining_ != nullptr) {
        join_awaiter& waiter = *std::exchange(joining_, nullptr);
        waiter.env_->context->post(waiter);
    }
}

async_scope::join_awaiter::~join_awaiter() {
    on_stop_.reset();
    const std::lock_guard lock(scope_.mutex_);
    if (scope_.joining_ == this)
        scope_.joining_ = nullptr;
}

std::coroutine_handle<> async_scope::join_awaiter::start(void* object) noexcept {
    auto& self = *static_cast<join_awaiter*>(object);
    self.on_stop_.emplace(stop_token_of(*self.env_), stop_handler{self.scope_});
    const std::lock_guard lock(self.scope_.mutex_);
    if (self.scope_.running_ == 0)
        return self.waiting_;
    if (self.env_->context == nullptr) {
        self.no_scheduler_ = true;
        return self.waiting_;
    }
    assert(self.scope_.joining_ == nullptr && "one join at a time");
    self.scope_.joining_ = &self;
    return nullptr;
}

void async_scope::join_awaiter::run() noexcept {
    // Whoever posted this may still hold the mutex, and the coroutine may destroy the scope.
    {
        const std::lock_guard lock(scope_.mutex_);
    }
    run_chain(*env_, waiting_);
}

void async_scope::join_awaiter::await_resume() {
    on_stop_.reset();
    if (no_scheduler_)
        throw no_scheduler();
    std::exception_ptr error;
    {
        const std::lock_guard lock(scope_.mutex_);
        error = std::exchange(scope_.first_error_, nullptr);
    }
    if (error)
        std::rethrow_exception(std::move(error));
}

} // namespace sluice::coro
