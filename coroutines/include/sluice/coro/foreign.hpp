// Awaiting what was not made for this library: any awaitable of another coroutine library.
//
// A foreign awaiter resumes a coroutine handle wherever and whenever it likes, perhaps inside its own await_suspend. It
// gets the handle of a small bridge coroutine. When that is resumed while the operation is still being started, the
// chain goes on in its own loop, so that a million awaits that are ready at once use no stack; when it is resumed
// later, perhaps by another thread, the chain is posted to its scheduler and goes on there.
#pragma once

#include <sluice/coro/environment.hpp>
#include <sluice/coro/frame_pool.hpp>
#include <sluice/coro/scheduled.hpp>

#include <atomic>
#include <coroutine>
#include <exception>
#include <type_traits>
#include <utility>

namespace sluice::coro {

namespace detail {

template <class T>
decltype(auto) awaiter_from(T&& awaitable) {
    if constexpr (requires { static_cast<T&&>(awaitable).operator co_await(); })
        return static_cast<T&&>(awaitable).operator co_await();
    else if constexpr (requires { operator co_await(static_cast<T&&>(awaitable)); })
        return operator co_await(static_cast<T&&>(awaitable));
    else
        return static_cast<T&&>(awaitable);
}

// The coroutine whose handle a foreign awaiter gets. Resumed once at most; destroys itself when it has been.
struct bridge {
    struct promise_type : pooled_frame {
        bridge get_return_object() noexcept { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        std::suspend_never final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() const noexcept { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
};

// Stands for the coroutine handle of a chain's coroutine where a foreign awaiter is checked.
using bridge_handle = std::coroutine_handle<bridge::promise_type>;

template <class Awaiter>
concept awaiter_for_bridge = requires(Awaiter& awaiter, bridge_handle handle) {
    static_cast<bool>(awaiter.await_ready());
    awaiter.await_suspend(handle);
    awaiter.await_resume();
};

// The part of an await of something foreign that does not depend on its type.
class foreign_wait : public scheduled {
public:
    foreign_wait(const foreign_wait&) = delete;
    foreign_wait& operator=(const foreign_wait&) = delete;

protected:
    foreign_wait() = default;
    ~foreign_wait() override;

    void prepare(environment& env, std::coroutine_handle<> waiting, chain_step start) noexcept {
        env_ = &env;
        waiting_ = waiting;
        env.next = start;
    }
    bridge_handle make_bridge();                // throws std::bad_alloc
    void drop_bridge() noexcept;                // the operation did not take it
    std::coroutine_handle<> started() noexcept; // the operation has been started
    std::coroutine_handle<> waiting() const noexcept { return waiting_; }

private:
    friend bridge run_bridge(foreign_wait* wait);
    void fire() noexcept;
    void run() noexcept override;

    enum : int { starting, waiting_for_it, fired };
    std::atomic<int> state_{starting};
    environment* env_ = nullptr;
    std::coroutine_handle<> waiting_;
    bridge_handle bridge_;
};

} // namespace detail

template <class T>
using awaiter_of = decltype(detail::awaiter_from(std::declval<T>()));

/// True for what `co_await` takes in a task, of this library or foreign.
template <class T>
inline constexpr bool is_awaitable = requires { typename std::remove_cvref_t<awaiter_of<T>>::chain_awaiter; } ||
                                     detail::awaiter_for_bridge<std::remove_reference_t<awaiter_of<T>>>;

/// Awaits a foreign awaitable in a chain. Destroying it while it waits destroys the bridge: that is sound where the
/// foreign awaiter's own destructor ends its operation, as those of coroutine types do.
template <class Awaitable>
class foreign_awaiter : private detail::foreign_wait {
public:
    using chain_awaiter = void;

    explicit foreign_awaiter(Awaitable&& awaitable)
        : awaiter_(detail::awaiter_from(static_cast<Awaitable&&>(awaitable))) {}

    bool await_ready() { return static_cast<bool>(awaiter_.await_ready()); }

    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) noexcept {
        prepare(self.promise().environment(), self, {&start, this});
    }

    decltype(auto) await_resume() {
        if (error_)
            std::rethrow_exception(std::exchange(error_, nullptr));
        return awaiter_.await_resume();
    }

private:
    static std::coroutine_handle<> start(void* object) noexcept {
        auto& self = *static_cast<foreign_awaiter*>(object);
        try {
            const detail::bridge_handle bridge = self.make_bridge();
            using result = decltype(self.awaiter_.await_suspend(bridge));
            if constexpr (std::is_void_v<result>) {
                self.awaiter_.await_suspend(bridge);
            } else if constexpr (std::is_same_v<result, bool>) {
                if (!self.awaiter_.await_suspend(bridge)) {
                    self.drop_bridge();
                    return self.waiting();
                }
            } else {
                self.awaiter_.await_suspend(bridge).resume();
            }
        } catch (...) {
            self.error_ = std::current_exception();
            self.drop_bridge();
            return self.waiting();
        }
        return self.started();
    }

    // A reference where the awaitable is its own awaiter: it lives until the end of the co_await expression.
    awaiter_of<Awaitable> awaiter_;
    std::exception_ptr error_;
};

} // namespace sluice::coro
