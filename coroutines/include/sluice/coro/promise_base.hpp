// Base of the promises of every coroutine type of the library: task, and others that run in a chain (layouts).
#pragma once

#include <sluice/coro/environment.hpp>
#include <sluice/coro/foreign.hpp>
#include <sluice/coro/frame_pool.hpp>

#include <coroutine>
#include <type_traits>
#include <utility>

namespace sluice::coro {

/// An awaiter that knows chains: its await_suspend takes the handle of a coroutine whose promise is a promise_base, and
/// leaves what is to be started in `environment::next` instead of starting it. It says so by a member type
/// `chain_awaiter`.
template <class Awaiter>
concept chain_awaiter = requires { typename std::remove_cvref_t<Awaiter>::chain_awaiter; };

namespace detail {

// g++ 12 copies or moves an awaiter that await_transform returns by reference, but what waits is linked by its address.
// A temporary awaiter lives until the end of the co_await expression.
template <class Awaiter>
class awaiter_reference {
    Awaiter& awaiter_;

public:
    explicit awaiter_reference(Awaiter& awaiter) noexcept : awaiter_(awaiter) {}
    bool await_ready() noexcept(noexcept(awaiter_.await_ready())) { return awaiter_.await_ready(); }
    template <class Promise>
    auto await_suspend(std::coroutine_handle<Promise> self) noexcept(noexcept(awaiter_.await_suspend(self))) {
        return awaiter_.await_suspend(self);
    }
    decltype(auto) await_resume() { return awaiter_.await_resume(); }
};

} // namespace detail

class promise_base : public pooled_frame {
public:
    promise_base(const promise_base&) = delete;
    promise_base& operator=(const promise_base&) = delete;

    std::suspend_always initial_suspend() const noexcept { return {}; }

    struct final_awaiter {
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> self) const noexcept {
            self.promise().hand_over();
        }
        void await_resume() const noexcept {}
    };
    /// At the end, with the coroutine suspended.
    final_awaiter final_suspend() const noexcept { return {}; }

    /// Passes the library's own awaitables through and bridges foreign ones.
    template <class Awaitable>
    decltype(auto) await_transform(Awaitable&& awaitable) {
        static_assert(is_awaitable<Awaitable>,
                      "sluice: this cannot be awaited in a task. A task in a variable: co_await std::move(t). A "
                      "boost::asio::awaitable: "
                      "co_await sluice::net::from_awaitable(a). An Asio operation: pass it sluice::net::use_task");
        if constexpr (!is_awaitable<Awaitable>) {
            return std::suspend_never{};
        } else if constexpr (chain_awaiter<Awaitable> &&
                             !(std::is_trivially_copyable_v<Awaitable> && std::is_object_v<Awaitable>)) {
            return detail::awaiter_reference<std::remove_reference_t<Awaitable>>(awaitable);
        } else if constexpr (chain_awaiter<awaiter_of<Awaitable>>) {
            return static_cast<Awaitable&&>(awaitable);
        } else {
            return foreign_awaiter<Awaitable>(static_cast<Awaitable&&>(awaitable));
        }
    }

    /// For the types that do not yield; those that do have their own.
    template <class Value>
    std::suspend_never yield_value(Value&&) const noexcept {
        static_assert(!std::is_same_v<Value, Value>,
                      "sluice: a task does not yield. A sluice::layout yields the slot where its template goes, an "
                      "async_generator the elements of a range");
        return {};
    }

    bool started() const noexcept { return env_ != nullptr; }

    /// The chain's environment; only once started.
    coro::environment& environment() const noexcept { return *env_; }

    /// Attaches the coroutine to a chain as its root; `completion` is taken when it ends.
    void start_as_root(coro::environment& env, chain_step completion) noexcept {
        env_ = &env;
        finished_ = nullptr;
        completion_ = completion;
    }

    /// Runs the suspended coroutine `self` (its promise is *this) as a child of `parent`, in place. Returns false when
    /// it has finished; true when it waits: then the parent stays suspended and is resumed by the loop.
    template <class ParentPromise>
    bool run_as_child(std::coroutine_handle<> self, std::coroutine_handle<ParentPromise> parent) noexcept {
        bool finished = false;
        finished_ = &finished;
        env_ = parent.promise().env_;
        self.resume();
        if (finished) [[likely]]
            return false;
        // The child waits, but what it waits for has not been started: nobody else runs it yet.
        finished_ = nullptr;
        completion_ = {&resume_step, parent.address()};
        return true;
    }

    /// To be called before the frame of `self` is destroyed: an unfinished coroutine that was started is abandoned.
    void before_destroy(std::coroutine_handle<> self) noexcept {
        if (env_ != nullptr && !self.done() && env_->observer != nullptr) [[unlikely]]
            env_->observer->abandoned();
    }

protected:
    promise_base() noexcept {}
    ~promise_base() = default;

    /// Gives control to whoever waits for the coroutine, which is suspended: in place where the parent is still on the
    /// stack, else through the loop.
    void hand_over() noexcept {
        if (finished_ != nullptr) [[likely]]
            *finished_ = true;
        else
            env_->next = completion_;
    }

    /// For a coroutine that hands over more than once: it belongs to no chain until it is run as a child again, and
    /// dropping it meanwhile abandons nothing.
    void leave_chain() noexcept { env_ = nullptr; }

private:
    coro::environment* env_ = nullptr;
    bool* finished_; // on the stack of the parent's await_suspend, while that is there
    // Written when the coroutine starts, or first waits: not before, for most never do.
    chain_step completion_;
};

} // namespace sluice::coro
