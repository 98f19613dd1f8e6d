// use_task: the completion token that makes any Asio operation awaitable in a task.
//
//     const std::size_t n = co_await stream.async_read_some(buffer, net::use_task);
#pragma once

#include <sluice/coro/chain_stop.hpp>
#include <sluice/net/detail/bare_await.hpp>
#include <sluice/net/detail/operation_state.hpp>
#include <sluice/net/results.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sluice::net {

/// Completion token. The initiating function returns an awaitable; the operation starts when that is awaited, in a
/// task.
///
/// Completes in the chain's own context: on the executor of its executor_scheduler, which is the handler's associated
/// executor, or, on any other scheduler, by a post to that. A million operations that complete inside their initiation
/// use no stack.
/// Result: what the signature has after a leading error_code or exception_ptr: nothing, a value, or net::results.
/// Errors: a leading error_code that is set is thrown as boost::system::system_error (in 1.81 a std::runtime_error and
/// not a std::system_error); a leading exception_ptr is rethrown; what the initiation throws is thrown.
/// Cancellation: when the chain is asked to stop, from any thread, the operation's cancellation slot gets `terminal`,
/// in the chain's context; the operation decides how it ends, as a rule with operation_aborted. A chain that was asked
/// before starts no operation: the await throws operation_aborted.
/// In flight together: what the operation allows. A chain awaits one; the children of when_all one each.
/// Lifetimes: buffers are the caller's until the operation has ended. When the await is destroyed while the operation
/// is pending, the operation is cancelled and left to itself: what it reads or writes must live until its handler is
/// called or destroyed (net::stream_sink keeps it alive). The object that was operated on must still be there then.
/// Storage: the state and Asio's own come from coro::frame_pool.
struct use_task_t {
    constexpr use_task_t() noexcept {}
};
inline constexpr use_task_t use_task{};

/// As use_task, but a leading error_code is a part of the result instead of being thrown:
///
///     auto [code, size] = co_await stream.async_read_some(buffer, net::use_task_with_code);
///     const boost::system::error_code code = co_await timer.async_wait(net::use_task_with_code);
struct use_task_with_code_t {
    constexpr use_task_with_code_t() noexcept {}
};
inline constexpr use_task_with_code_t use_task_with_code{};

namespace detail {

template <class... Values>
struct result_of_values {
    using type = results<Values...>;
};
template <class Value>
struct result_of_values<Value> {
    using type = Value;
};
template <>
struct result_of_values<> {
    using type = void;
};

// Makes an await's result of what a handler was called with, beginning with the argument `From`.
template <class... Values, std::size_t From, std::size_t... I>
auto take_values(std::tuple<Values...>&& values, std::index_sequence<From, I...>) {
    using type = typename result_of_values<std::tuple_element_t<I, std::tuple<Values...>>...>::type;
    if constexpr (sizeof...(I) != 0)
        return type{std::get<I>(std::move(values))...}; // an element each: NOLINT(bugprone-use-after-move)
}

template <std::size_t First, std::size_t... I>
constexpr auto indices_from(std::index_sequence<I...>) {
    return std::index_sequence<First, (I + First)...>{};
}

inline void throw_if(const boost::system::error_code& code) {
    if (code)
        throw boost::system::system_error(code);
}
inline void throw_if(const std::exception_ptr& exception) {
    if (exception)
        std::rethrow_exception(exception);
}

template <bool WithCode, class... Args>
auto deliver(std::tuple<Args...>&& values) {
    constexpr std::size_t count = sizeof...(Args);
    if constexpr (count != 0) {
        using first = std::tuple_element_t<0, std::tuple<Args..., void*>>;
        constexpr bool is_code = std::is_same_v<first, boost::system::error_code>;
        if constexpr ((is_code && !WithCode) || std::is_same_v<first, std::exception_ptr>) {
            throw_if(std::get<0>(values));
            return take_values(std::move(values), indices_from<1>(std::make_index_sequence<count - 1>()));
        } else {
            return take_values(std::move(values), indices_from<0>(std::make_index_sequence<count>()));
        }
    }
}

// The executor that an operation runs on, as its initiation says.
template <class Initiation>
boost::asio::any_io_executor io_executor(const Initiation& initiation) {
    auto executor = boost::asio::get_associated_executor(initiation);
    if constexpr (std::is_constructible_v<boost::asio::any_io_executor, decltype(executor)>)
        return boost::asio::any_io_executor(std::move(executor));
    else
        return boost::asio::any_io_executor(boost::asio::system_executor());
}

/// The awaitable that an initiating function returns under use_task. Awaited once.
template <bool WithCode, class Initiation, class Signature, class... InitArgs>
class operation;

template <bool WithCode, class Initiation, class R, class... Args, class... InitArgs>
class [[nodiscard("an operation starts when it is awaited")]] operation<WithCode, Initiation, R(Args...), InitArgs...> {
    using state = operation_results<Args...>;
    using values = std::tuple<std::decay_t<Args>...>;

public:
    using chain_awaiter = void;

    template <class I, class... A>
    explicit operation(I&& initiation, A&&... args)
        : initiation_(static_cast<I&&>(initiation)), args_(static_cast<A&&>(args)...) {}
    /// Before it is awaited.
    operation(operation&& other) noexcept(std::is_nothrow_move_constructible_v<Initiation> &&
                                          (std::is_nothrow_move_constructible_v<InitArgs> && ...))
        : initiation_(std::move(other.initiation_)), args_(std::move(other.args_)) {}
    operation& operator=(operation&&) = delete;
    ~operation() {
        if (state_ != nullptr)
            state_->leave();
    }

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) noexcept {
        env_ = &self.promise().environment();
        waiting_ = self;
        env_->next = {&start, this};
    }
    auto await_resume() {
        if (state_ != nullptr)
            state_->finish();
        if (error_) [[unlikely]]
            std::rethrow_exception(std::exchange(error_, nullptr));
        if (state_ == nullptr) [[unlikely]] // the chain had been asked to stop
            return deliver<WithCode>(not_started());
        return deliver<WithCode>(std::move(*state_->values));
    }

private:
    static std::coroutine_handle<> start(void* object) noexcept {
        auto& self = *static_cast<operation*>(object);
        if (coro::stop_requested(*self.env_))
            return self.waiting_;
        try {
            self.state_ = new state(*self.env_, self.waiting_, io_executor(self.initiation_));
            self.initiate(*self.state_);
        } catch (...) {
            self.error_ = std::current_exception();
            return self.waiting_;
        }
        return self.state_->started();
    }

    void initiate(state& shared) {
        operation_handler<Args...> handler(shared); // from here on the handler's reference is its own
        shared.watch_stop();
        std::apply([&](InitArgs&... args) { std::move(initiation_)(std::move(handler), std::move(args)...); }, args_);
    }

    static values not_started() {
        if constexpr (WithCode && std::is_default_constructible_v<values>) {
            values made;
            if constexpr (sizeof...(Args) != 0) {
                if constexpr (std::is_same_v<std::tuple_element_t<0, values>, boost::system::error_code>) {
                    std::get<0>(made) = boost::asio::error::operation_aborted;
                    return made;
                }
            }
        }
        throw boost::system::system_error(boost::asio::error::operation_aborted);
    }

    Initiation initiation_;
    [[no_unique_address]] std::tuple<InitArgs...> args_;
    coro::environment* env_ = nullptr;
    std::coroutine_handle<> waiting_;
    state* state_ = nullptr;
    std::exception_ptr error_;
};

template <bool WithCode, class Signature>
struct task_async_result {
    template <class Initiation, class... InitArgs>
    static auto initiate(Initiation&& initiation, auto&&, InitArgs&&... args) {
        return operation<WithCode, std::decay_t<Initiation>, Signature, std::decay_t<InitArgs>...>(
            static_cast<Initiation&&>(initiation), static_cast<InitArgs&&>(args)...);
    }
};

} // namespace detail

} // namespace sluice::net

template <class R, class... Args>
class boost::asio::async_result<sluice::net::use_task_t, R(Args...)>
    : public sluice::net::detail::task_async_result<false, R(Args...)> {};

template <class R, class... Args>
class boost::asio::async_result<sluice::net::use_task_with_code_t, R(Args...)>
    : public sluice::net::detail::task_async_result<true, R(Args...)> {};
