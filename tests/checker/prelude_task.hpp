#pragma once
// The coroutine of the forms of forms.txt, and a gate at which it may be made to wait.

#include <coroutine>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace forms {

/// When set, every awaited operation really suspends and is resumed by run(); when clear, it is ready at once.
inline bool suspends = false;
inline std::coroutine_handle<> suspended;

/// Counts objects: reports one that is destroyed twice, or never.
struct counted {
    static inline int alive = 0;
    std::string text;
    explicit counted(std::string from) : text(std::move(from)) { ++alive; }
    counted(const counted& from) : text(from.text) { ++alive; }
    counted(counted&& from) noexcept : text(std::move(from.text)) { ++alive; }
    counted& operator=(const counted&) = default;
    counted& operator=(counted&&) = default;
    ~counted() { --alive; }
};

struct gate {
    bool await_ready() const noexcept { return !suspends; }
    void await_suspend(std::coroutine_handle<> caller) const noexcept { suspended = caller; }
    void await_resume() const noexcept {}
};

template <class T>
struct value_holder {
    std::optional<T> value;
    template <class U = T>
    void return_value(U&& from) {
        value.emplace(std::forward<U>(from));
    }
    T take() { return std::move(*value); }
};
template <>
struct value_holder<void> {
    void return_void() {}
    void take() {}
};

inline void print(const std::string& text);
inline void print(bool truth);

template <class T>
class [[nodiscard]] task_of {
public:
    struct promise_type : value_holder<T> {
        std::coroutine_handle<> parent;
        std::exception_ptr error;
        task_of get_return_object() { return task_of(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        struct last {
            bool await_ready() noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
                std::coroutine_handle<> parent = self.promise().parent;
                return parent ? parent : std::noop_coroutine();
            }
            void await_resume() noexcept {}
        };
        last final_suspend() noexcept { return {}; }
        void unhandled_exception() { error = std::current_exception(); }
        template <class U>
        gate yield_value(const U& value) {
            print(value);
            return {};
        }
    };

    explicit task_of(std::coroutine_handle<promise_type> from) : handle_(from) {}
    task_of(task_of&& from) noexcept : handle_(std::exchange(from.handle_, {})) {}
    task_of& operator=(task_of&&) = delete;
    ~task_of() {
        if (handle_)
            handle_.destroy();
    }
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept {
        handle_.promise().parent = caller;
        return handle_;
    }
    T await_resume() {
        if (handle_.promise().error)
            std::rethrow_exception(handle_.promise().error);
        return handle_.promise().take();
    }

    void run() {
        handle_.resume();
        while (!handle_.done())
            std::exchange(suspended, {}).resume();
        if (handle_.promise().error)
            std::rethrow_exception(handle_.promise().error);
    }

private:
    std::coroutine_handle<promise_type> handle_;
};
using task = task_of<void>;

} // namespace forms
