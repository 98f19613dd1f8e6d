// async_generator<T>: a lazy coroutine that gives one element at a time and may wait between them.
//
//     async_generator<row> rows(database& db) {
//         auto cursor = co_await db.open("select ...");
//         while (auto r = co_await cursor.fetch()) co_yield std::move(*r);
//     }
//
//     auto all = rows(db);
//     while (row* r = co_await all.next()) co_await use(*r);
//
// Nothing runs before the first next(), and nothing is produced ahead of demand: the body stands at its co_yield until
// the next next(). It runs in the chain of whoever calls next(), on that chain's scheduler and with its stop token, and
// may await whatever a task may. A million elements that are ready use no stack.
//
// Parameters are as a task's: see task.hpp. On g++ 12, `co_yield row{...}` of an aggregate that has a destructor
// destroys it twice (a defect of that compiler): name it on the line before and `co_yield` the name. Temporaries of
// class types with constructors are right.
#pragma once

#include <sluice/coro/promise_base.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <type_traits>
#include <utility>

namespace sluice::coro {

template <class T>
class async_generator;

namespace detail {

template <class T>
class async_generator_promise final : public promise_base {
public:
    using value_type = std::remove_reference_t<T>;

    async_generator<T> get_return_object() noexcept;
    void return_void() const noexcept {}
    void unhandled_exception() noexcept { exception_ = std::current_exception(); }

    class yield_awaiter {
    public:
        using chain_awaiter = void;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<async_generator_promise> self) const noexcept {
            self.promise().hand_over();
            self.promise().leave_chain();
        }
        void await_resume() const noexcept {}
    };

    // Holds the element itself while the body stands at the co_yield.
    class copy_awaiter : public yield_awaiter {
    public:
        explicit copy_awaiter(const value_type& value) : value_(value) {}
        void await_suspend(std::coroutine_handle<async_generator_promise> self) noexcept {
            self.promise().element_ = __builtin_addressof(value_);
            yield_awaiter::await_suspend(self);
        }

    private:
        value_type value_;
    };

    /// The consumer gets the object that stands in the co_yield: a temporary lives until the body goes on.
    yield_awaiter yield_value(value_type& value) noexcept {
        element_ = __builtin_addressof(value);
        return {};
    }
    yield_awaiter yield_value(value_type&& value) noexcept
        requires(!std::is_reference_v<T>)
    {
        element_ = __builtin_addressof(value);
        return {};
    }
    /// What is const is copied: the consumer may move from its element.
    copy_awaiter yield_value(const value_type& value)
        requires(!std::is_reference_v<T> && !std::is_const_v<value_type> && std::copy_constructible<value_type>)
    {
        return copy_awaiter(value);
    }

    void clear() noexcept { element_ = nullptr; }
    value_type* element() {
        if (exception_) [[unlikely]]
            std::rethrow_exception(std::exchange(exception_, nullptr));
        return element_;
    }

private:
    value_type* element_ = nullptr;
    std::exception_ptr exception_;
};

} // namespace detail

/// A handle of the generator's frame; move-only. Destroying it at any element, or before the first, destroys the frame:
/// the destructors of the body's variables run, and nothing else. Not thread-safe: one chain at a time.
template <class T>
class [[nodiscard]] async_generator {
    using promise = detail::async_generator_promise<T>;

public:
    using promise_type = promise;
    using value_type = typename promise::value_type;

    /// Gives nothing.
    async_generator() noexcept = default;
    /// Not while a next() is in flight.
    async_generator(async_generator&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    async_generator& operator=(async_generator&& other) noexcept {
        if (this != &other) {
            destroy();
            handle_ = std::exchange(other.handle_, nullptr);
        }
        return *this;
    }
    ~async_generator() { destroy(); }

    class next_awaiter {
    public:
        using chain_awaiter = void;

        next_awaiter(const next_awaiter&) = delete;
        next_awaiter& operator=(const next_awaiter&) = delete;
        // The consumer is dropped while the body waits: the body's chain ends here, so it ends too.
        ~next_awaiter() {
            if (running_) [[unlikely]]
                generator_.destroy();
        }

        bool await_ready() const noexcept { return !generator_.handle_ || generator_.handle_.done(); }
        template <class Promise>
        bool await_suspend(std::coroutine_handle<Promise> parent) noexcept {
            static_assert(std::is_base_of_v<promise_base, Promise>,
                          "sluice: an async_generator can be consumed only in a sluice task");
            running_ = true;
            promise& body = generator_.handle_.promise();
            body.clear();
            return body.run_as_child(generator_.handle_, parent);
        }
        value_type* await_resume() {
            if (!std::exchange(running_, false))
                return nullptr;
            return generator_.handle_.promise().element();
        }

    private:
        friend class async_generator;
        explicit next_awaiter(async_generator& generator) noexcept : generator_(generator) {}
        async_generator& generator_;
        bool running_ = false;
    };

    /// Awaitable: runs the body to its next co_yield.
    ///
    /// Completes with a pointer to the element, which lives until the next next() or the generator's end and may be
    /// moved from; with null when the body has ended, then and ever after. Rethrows what the body threw, once; then it
    /// has ended. One next() at a time. Cancellation: the body's awaits see the caller's stop token. Destroying the
    /// consumer while the body waits destroys the body, and abandons its chain.
    [[nodiscard]] next_awaiter next() noexcept { return next_awaiter(*this); }

private:
    friend promise;
    explicit async_generator(std::coroutine_handle<promise> handle) noexcept : handle_(handle) {}

    void destroy() noexcept {
        if (const auto handle = std::exchange(handle_, nullptr)) {
            handle.promise().before_destroy(handle);
            handle.destroy();
        }
    }

    std::coroutine_handle<promise> handle_;
};

namespace detail {

template <class T>
async_generator<T> async_generator_promise<T>::get_return_object() noexcept {
    return async_generator<T>(std::coroutine_handle<async_generator_promise>::from_promise(*this));
}

} // namespace detail

} // namespace sluice::coro
