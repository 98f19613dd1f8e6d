// when_all: runs several tasks side by side and waits for all of them.
//
// Each task is a chain of its own on the parent's scheduler. The children live in the awaitable, so in the parent's
// frame; those of a range in one block of the frame pool. One thing is allocated on the heap: the state of the
// children's stop token, by the standard library.
#pragma once

#include <sluice/coro/chain.hpp>
#include <sluice/coro/chain_stop.hpp>
#include <sluice/coro/frame_pool.hpp>
#include <sluice/coro/operation_cancelled.hpp>
#include <sluice/coro/scheduler.hpp>
#include <sluice/coro/task.hpp>

#include <atomic>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace sluice::coro {

/// The results of when_all over several tasks, in their order: `get<I>()`. A void task's is a std::monostate.
///
/// It is not tuple-like on purpose: g++ 15 and 16 leak structured bindings of a co_await result when the frame is
/// destroyed. Name the whole and take its parts.
template <class... Ts>
class when_all_results {
public:
    explicit when_all_results(std::tuple<Ts...>&& values) : values_(std::move(values)) {}

    template <std::size_t I>
    decltype(auto) get() & noexcept {
        return std::get<I>(values_);
    }
    template <std::size_t I>
    decltype(auto) get() const& noexcept {
        return std::get<I>(values_);
    }
    template <std::size_t I>
    decltype(auto) get() && noexcept {
        return std::get<I>(std::move(values_));
    }

private:
    std::tuple<Ts...> values_;
};

namespace detail {

// What does not depend on the children's types.
class when_all_group : private scheduled {
public:
    using chain_awaiter = void;

    when_all_group(const when_all_group&) = delete;
    when_all_group& operator=(const when_all_group&) = delete;

    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) noexcept {
        env_ = &self.promise().environment();
        waiting_ = self;
        env_->next = {&start, this};
    }

    // A child has ended, on `where`; its number counts from 1.
    void child_ended(std::size_t number, bool failed, const scheduler* where) noexcept;

protected:
    explicit when_all_group(std::size_t count) noexcept : remaining_(count + 1), several_(count > 1) {}
    ~when_all_group() override = default;

    virtual void start_children() noexcept = 0;
    environment child_environment() const { return environment(env_->context, stop_, env_->observer); }
    // Before the results are taken. Returns the number of the child that failed first, or 0.
    std::size_t ended();
    // Before the children are destroyed: no callback runs from then on.
    void detach() noexcept { on_stop_.reset(); }

private:
    struct stop_handler {
        std::stop_source& children;
        void operator()() const noexcept { children.request_stop(); }
    };

    static std::coroutine_handle<> start(void* object) noexcept;
    void run() noexcept override { run_chain(*env_, waiting_); }

    environment* env_ = nullptr;
    std::coroutine_handle<> waiting_;
    // Atomic, since children that hop may end on several threads. One more than the children while they are started.
    std::atomic<std::size_t> remaining_;
    std::atomic<std::size_t> first_failed_{0};
    bool several_;
    std::exception_ptr error_;
    std::stop_source children_{std::nostopstate};
    chain_stop own_stop_;
    const chain_stop* stop_ = nullptr; // the children's
    std::optional<std::stop_callback<stop_handler>> on_stop_;
};

template <class T>
class when_all_child {
public:
    explicit when_all_child(task<T>&& work) noexcept : chain_(std::move(work), environment()) {}

    void start(when_all_group& group, std::size_t number, environment env) noexcept {
        group_ = &group;
        number_ = number;
        chain_.environment() = env;
        chain_.start({&ended, this});
    }
    T result() { return chain_.result(); }
    // The result as an object.
    auto value() -> std::conditional_t<std::is_void_v<T>, std::monostate, T> {
        if constexpr (std::is_void_v<T>) {
            chain_.result();
            return {};
        } else {
            return chain_.result();
        }
    }

private:
    static std::coroutine_handle<> ended(void* object) noexcept {
        auto& self = *static_cast<when_all_child*>(object);
        self.group_->child_ended(self.number_, self.chain_.failed(), self.chain_.environment().context);
        return nullptr;
    }

    when_all_group* group_ = nullptr;
    std::size_t number_ = 0;
    chain<T> chain_;
};

template <class T>
using when_all_value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

template <class... Ts>
class [[nodiscard]] when_all_awaitable final : public when_all_group {
public:
    explicit when_all_awaitable(task<Ts>&&... work) noexcept
        : when_all_group(sizeof...(Ts)), children_(std::move(work)...) {}
    ~when_all_awaitable() override { detach(); }

    bool await_ready() const noexcept { return sizeof...(Ts) == 0; }
    auto await_resume() { return resume(std::index_sequence_for<Ts...>()); }

private:
    void start_children() noexcept override {
        std::apply(
            [this](auto&... child) {
                std::size_t number = 0;
                (child.start(*this, ++number, child_environment()), ...);
            },
            children_);
    }

    template <std::size_t... Is>
    auto resume(std::index_sequence<Is...>) {
        if (const std::size_t failed = ended())
            ((failed == Is + 1 ? void(std::get<Is>(children_).result()) : void()), ...);
        if constexpr (!(std::is_void_v<Ts> && ...))
            return when_all_results<when_all_value<Ts>...>(
                std::tuple<when_all_value<Ts>...>(std::get<Is>(children_).value()...));
    }

    std::tuple<when_all_child<Ts>...> children_;
};

template <class T>
struct when_all_range_result {
    using type = std::vector<T>;
};
template <class T>
struct when_all_range_result<T&> {
    using type = std::vector<std::reference_wrapper<T>>;
};
template <>
struct when_all_range_result<void> {
    using type = void;
};

template <class T>
class [[nodiscard]] when_all_range_awaitable final : public when_all_group {
public:
    explicit when_all_range_awaitable(std::vector<task<T>>&& work) : when_all_group(work.size()), count_(work.size()) {
        children_ = static_cast<when_all_child<T>*>(frame_pool::allocate(bytes()));
        for (std::size_t i = 0; i < count_; ++i)
            std::construct_at(children_ + i, std::move(work[i]));
    }
    ~when_all_range_awaitable() override {
        detach();
        std::destroy_n(children_, count_);
        frame_pool::deallocate(children_, bytes());
    }

    bool await_ready() const noexcept { return count_ == 0; }
    typename when_all_range_result<T>::type await_resume() {
        if (const std::size_t failed = ended())
            children_[failed - 1].result();
        if constexpr (!std::is_void_v<T>) {
            typename when_all_range_result<T>::type results;
            results.reserve(count_);
            for (std::size_t i = 0; i < count_; ++i)
                results.push_back(children_[i].result());
            return results;
        }
    }

private:
    void start_children() noexcept override {
        for (std::size_t i = 0; i < count_; ++i)
            children_[i].start(*this, i + 1, child_environment());
    }
    std::size_t bytes() const noexcept { return count_ == 0 ? 1 : count_ * sizeof(when_all_child<T>); }

    std::size_t count_;
    when_all_child<T>* children_ = nullptr;
};

} // namespace detail

/// Awaitable: runs the tasks, each in a chain of its own, and completes when all have ended.
///
/// They start in their order when it is awaited, each running until it first waits, and share the parent's scheduler
/// and observer; their stop token is their own. Results: a when_all_results<Ts...>; nothing where all are void. Errors:
/// the first failure, in time, asks the others to stop; when all have ended it is rethrown. Cancellation: a stop of the
/// parent is passed on to them. Throws std::bad_alloc before it starts any. Destroying it while it waits destroys the
/// tasks that have not ended, as ~task does; on the parent's scheduler only.
///
///     auto both = co_await when_all(count(a), load(b));
///     use(both.get<0>(), std::move(both).get<1>());
template <class... Ts>
[[nodiscard]] detail::when_all_awaitable<Ts...> when_all(task<Ts>... work) noexcept {
    return detail::when_all_awaitable<Ts...>(std::move(work)...);
}

/// The same for a range: a std::vector<T> of results; of std::reference_wrapper for T&; nothing for void.
template <class T>
[[nodiscard]] detail::when_all_range_awaitable<T> when_all(std::vector<task<T>> work) {
    return detail::when_all_range_awaitable<T>(std::move(work));
}

} // namespace sluice::coro
