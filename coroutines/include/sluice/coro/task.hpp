// task<T>: the lazy coroutine of the library.
//
// A task does nothing until it is awaited, by `co_await` in another task or by a runner (sync_wait, when_all, spawn, a
// render), once. It runs on its chain's scheduler: whatever it awaits, it resumes there. Its frame comes from
// frame_pool. A million awaits that finish at once, or that are ready when they are started, use no stack in any build
// mode (see environment.hpp).
//
// Parameters are copied into the frame as their types say: a reference parameter must outlive the task, which holds
// where the caller awaits in the same expression. The captures of a lambda coroutine live in the lambda, not in the
// task: keep the lambda until the task has ended.
#pragma once

#include <sluice/coro/promise_base.hpp>

#include <cassert>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace sluice::coro {

template <class T>
class task;

template <class T>
class chain;

namespace detail {

template <class T>
class task_promise final : public promise_base {
public:
    task<T> get_return_object() noexcept;

    // __builtin_addressof: std::addressof would take <memory>, a third of a second in every template.
    template <class U = T>
        requires std::is_constructible_v<T, U&&>
    void return_value(U&& value) noexcept(std::is_nothrow_constructible_v<T, U&&>) {
        ::new (static_cast<void*>(__builtin_addressof(value_))) T(static_cast<U&&>(value));
        state_ = state::value;
    }

    void unhandled_exception() noexcept {
        ::new (static_cast<void*>(__builtin_addressof(exception_))) std::exception_ptr(std::current_exception());
        state_ = state::exception;
    }

    bool failed() const noexcept { return state_ == state::exception; }
    T result() {
        if (state_ == state::exception) [[unlikely]]
            std::rethrow_exception(exception_);
        return std::move(value_);
    }

    task_promise() noexcept {}
    ~task_promise() {
        if (state_ == state::value)
            value_.~T();
        else if (state_ == state::exception)
            exception_.~exception_ptr();
    }

private:
    enum class state : unsigned char { none, value, exception };
    state state_ = state::none;
    union {
        T value_;
        std::exception_ptr exception_;
    };
};

template <>
class task_promise<void> final : public promise_base {
public:
    task<void> get_return_object() noexcept;
    void return_void() const noexcept {}
    void unhandled_exception() noexcept { exception_ = std::current_exception(); }
    bool failed() const noexcept { return exception_ != nullptr; }
    void result() const {
        if (exception_) [[unlikely]]
            std::rethrow_exception(exception_);
    }

private:
    std::exception_ptr exception_;
};

template <class T>
class task_promise<T&> final : public promise_base {
public:
    task<T&> get_return_object() noexcept;
    void return_value(T& value) noexcept { value_ = __builtin_addressof(value); }
    void unhandled_exception() noexcept { exception_ = std::current_exception(); }
    bool failed() const noexcept { return exception_ != nullptr; }
    T& result() const {
        if (exception_) [[unlikely]]
            std::rethrow_exception(exception_);
        return *value_;
    }

private:
    T* value_ = nullptr;
    std::exception_ptr exception_;
};

} // namespace detail

template <class T = void>
class [[nodiscard("a task does nothing until it is awaited")]] task {
public:
    using promise_type = detail::task_promise<T>;
    using value_type = T;

    task(task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    task& operator=(task&& other) noexcept {
        if (this != &other) {
            destroy(std::exchange(handle_, std::exchange(other.handle_, nullptr)));
        }
        return *this;
    }
    /// Destroys the frame. A task that was started and has not finished is abandoned: the render that it belongs to
    /// fails before the frame's destructors run.
    ~task() { destroy(handle_); }

    /// Owns the frame from then on, so that it ends with the `co_await` expression, in its chain, also where the task
    /// is a variable that outlives the chain.
    class awaiter {
    public:
        using chain_awaiter = void;

        awaiter(const awaiter&) = delete;
        awaiter& operator=(const awaiter&) = delete;
        ~awaiter() { destroy(handle_); }

        bool await_ready() const noexcept {
            assert(handle_ && "a task is awaited once");
            return false;
        }
        template <class Promise>
        bool await_suspend(std::coroutine_handle<Promise> parent) const noexcept {
            static_assert(std::is_base_of_v<promise_base, Promise>,
                          "sluice: a sluice task can be awaited only in a sluice task. In a boost::asio::awaitable use "
                          "co_await sluice::net::as_operation(t)");
            if constexpr (std::is_base_of_v<promise_base, Promise>)
                return handle_.promise().run_as_child(handle_, parent);
            else
                return false;
        }
        T await_resume() const { return handle_.promise().result(); }

    private:
        friend class task;
        explicit awaiter(std::coroutine_handle<promise_type> handle) noexcept : handle_(handle) {}
        std::coroutine_handle<promise_type> handle_;
    };

    /// Starts the task and waits for its result, once. Rethrows what the task threw.
    awaiter operator co_await() && noexcept { return awaiter(std::exchange(handle_, nullptr)); }
    /// A task is awaited once: write `co_await std::move(t)`.
    awaiter operator co_await() & = delete;

private:
    friend promise_type;
    friend class chain<T>;
    explicit task(std::coroutine_handle<promise_type> handle) noexcept : handle_(handle) {}

    static void destroy(std::coroutine_handle<promise_type> handle) noexcept {
        if (handle) {
            handle.promise().before_destroy(handle);
            handle.destroy();
        }
    }

    std::coroutine_handle<promise_type> handle_;
};

namespace detail {

template <class T>
task<T> task_promise<T>::get_return_object() noexcept {
    return task<T>(std::coroutine_handle<task_promise>::from_promise(*this));
}
inline task<void> task_promise<void>::get_return_object() noexcept {
    return task<void>(std::coroutine_handle<task_promise>::from_promise(*this));
}
template <class T>
task<T&> task_promise<T&>::get_return_object() noexcept {
    return task<T&>(std::coroutine_handle<task_promise>::from_promise(*this));
}

} // namespace detail

static_assert(sizeof(task<void>) == sizeof(void*));

} // namespace sluice::coro
