// Stand-ins for another coroutine library, which knows nothing of ours.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace sluice::coro::test {

// A task that passes control on by symmetric transfer, as most libraries do.
class foreign_task {
public:
    struct promise_type {
        foreign_task get_return_object() {
            return foreign_task(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
        struct final_awaiter {
            bool await_ready() noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
                return self.promise().continuation;
            }
            void await_resume() noexcept {}
        };
        final_awaiter final_suspend() noexcept { return {}; }
        void return_value(int result) { value = result; }
        void unhandled_exception() { error = std::current_exception(); }

        std::coroutine_handle<> continuation;
        std::exception_ptr error;
        int value = 0;
    };

    foreign_task(foreign_task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    foreign_task& operator=(foreign_task&&) = delete;
    ~foreign_task() {
        if (handle_)
            handle_.destroy();
    }

    auto operator co_await() && {
        struct awaiter {
            std::coroutine_handle<promise_type> handle;
            bool await_ready() { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) {
                handle.promise().continuation = waiting;
                return handle;
            }
            int await_resume() {
                if (handle.promise().error)
                    std::rethrow_exception(handle.promise().error);
                return handle.promise().value;
            }
        };
        return awaiter{handle_};
    }

private:
    explicit foreign_task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
    std::coroutine_handle<promise_type> handle_;
};

// Completes inside its await_suspend.
struct resumes_at_once {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) const { waiting.resume(); }
    void await_resume() const noexcept {}
};

// Finds in await_suspend that it need not wait.
struct declines_to_wait {
    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<>) const noexcept { return false; }
    void await_resume() const noexcept {}
};

// Keeps the handle for whoever completes it.
struct waits_for_someone {
    std::coroutine_handle<>& waiting;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> handle) const noexcept { waiting = handle; }
    int await_resume() const noexcept { return 9; }
};

} // namespace sluice::coro::test
