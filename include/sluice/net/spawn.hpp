// spawn: starts a task on an executor, as an asynchronous operation under any completion token.
//
//     net::spawn(io, serve(std::move(socket)), asio::detached);
//     std::future<int> n = net::spawn(io, count(), asio::use_future);
#pragma once

#include <sluice/coro/chain.hpp>
#include <sluice/coro/chain_stop.hpp>
#include <sluice/coro/task.hpp>
#include <sluice/gcc12.hpp>
#include <sluice/moved.hpp>
#include <sluice/net/detail/bare_await.hpp>
#include <sluice/net/detail/spawned.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace sluice::net {

namespace detail {

template <class T>
struct spawn_signature {
    static_assert(
        std::is_default_constructible_v<T> && !std::is_reference_v<T>,
        "sluice: the result of a spawned task is a value with a default constructor, which stands for it when "
        "the task has thrown");
    using type = void(std::exception_ptr, T);
};
template <>
struct spawn_signature<void> {
    using type = void(std::exception_ptr);
};

template <class T>
struct task_value;
template <class T>
struct task_value<coro::task<T>> {
    using type = T;
};

template <class F>
concept task_callable = std::invocable<F&> && requires { typename task_value<std::invoke_result_t<F&>>::type; };
template <class F>
using callable_value = typename task_value<std::invoke_result_t<F&>>::type;

// In the token's cancellation slot. It may be called when the task has completed and is gone.
struct stop_on_cancel {
    std::stop_source source;
    void operator()(boost::asio::cancellation_type type) {
        if ((type & boost::asio::cancellation_type::terminal) != boost::asio::cancellation_type::none)
            source.request_stop();
    }
};

template <class T, class Handler>
class spawned_task final : public spawned {
public:
    spawned_task(boost::asio::any_io_executor executor, coro::task<T> work, Handler handler)
        : spawned(std::move(executor)),
          handler_work_(boost::asio::prefer(boost::asio::get_associated_executor(handler, this->executor()),
                                            boost::asio::execution::outstanding_work.tracked)),
          handler_(std::move(handler)),
          stop_{connect()},
          chain_(std::move(work), coro::environment(&scheduler(), &stop_)) {}

private:
    ~spawned_task() override = default;

    const boost::asio::any_io_executor& executor() noexcept {
        return static_cast<executor_scheduler&>(scheduler()).executor();
    }

    std::stop_token connect() {
        auto slot = boost::asio::get_associated_cancellation_slot(handler_);
        if (!slot.is_connected())
            return {};
        slot.template emplace<stop_on_cancel>(stop_on_cancel{make_stop_source()});
        return stop_token();
    }

    void start() noexcept override { chain_.start({&ended, this}); }

    static std::coroutine_handle<> ended(void* object) noexcept {
        static_cast<spawned_task*>(object)->complete();
        return nullptr;
    }

    // Frees everything before the handler is called, as asynchronous operations do.
    void complete() noexcept {
        std::exception_ptr thrown;
        disown();
        if constexpr (std::is_void_v<T>) {
            try {
                chain_.result();
            } catch (...) {
                thrown = std::current_exception();
            }
            hand_over(std::move(thrown));
        } else {
            try {
                hand_over(std::exception_ptr(), chain_.result());
                return;
            } catch (...) {
                thrown = std::current_exception();
            }
            hand_over(std::move(thrown), T());
        }
    }

    template <class... Result>
    void hand_over(std::exception_ptr thrown, Result... result) noexcept {
        auto work = std::move(handler_work_);
        Handler handler = std::move(handler_);
        delete this;
        // Posted: what a handler throws leaves the context's run(), which it could not through the chain's loop.
        boost::asio::post(
            work, [handler = std::move(handler), thrown = std::move(thrown), ... result = std::move(result)]() mutable {
                std::move(handler)(std::move(thrown), std::move(result)...);
            });
    }

    using handler_executor = std::decay_t<decltype(boost::asio::prefer(
        boost::asio::get_associated_executor(std::declval<const Handler&>(),
                                             std::declval<const boost::asio::any_io_executor&>()),
        boost::asio::execution::outstanding_work.tracked))>;

    handler_executor handler_work_;
    Handler handler_;
    const coro::chain_stop stop_;
    coro::chain<T> chain_;
};

class spawn_initiation {
public:
    using executor_type = boost::asio::any_io_executor;
    explicit spawn_initiation(boost::asio::any_io_executor executor) noexcept : executor_(std::move(executor)) {}
    executor_type get_executor() const noexcept { return executor_; }

    template <class Handler, class T>
    void operator()(Handler&& handler, coro::task<T> work) const {
        (new spawned_task<T, std::decay_t<Handler>>(executor_, std::move(work), std::forward<Handler>(handler)))
            ->launch();
    }

private:
    boost::asio::any_io_executor executor_;
};

// Keeps the callable, and with it a lambda's captures, as long as its task.
template <class F>
coro::task<callable_value<F>> call_in_task(F callable) {
    co_return co_await callable();
}

} // namespace detail

/// What spawn runs on: an executor, or an execution context, whose executor it takes.
template <class E>
concept spawn_target = std::convertible_to<const E&, boost::asio::any_io_executor> ||
                       requires(E& context) { boost::asio::any_io_executor(context.get_executor()); };

namespace detail {

template <class E>
boost::asio::any_io_executor executor_for(const E& where) {
    if constexpr (std::convertible_to<const E&, boost::asio::any_io_executor>)
        return where;
    else
        return const_cast<E&>(where).get_executor();
}

} // namespace detail

/// Asynchronous operation: runs the task on `where`, from a post, never inside this call.
///
/// Signature: void(std::exception_ptr, T), or void(std::exception_ptr) for task<void>. T is default constructible.
/// Completes when the task has ended and its frame is destroyed; the handler is posted to its associated executor, by
/// default that of the task. The exception is what the task threw.
/// The chain runs on an executor_scheduler for `where`: everything it awaits resumes there. That executor is serial: an
/// io_context run by one thread, or a strand.
/// Cancellation: `terminal` in the token's slot becomes a stop request of the chain.
/// Lifetimes: the task, and the token's handler, are owned by the operation until it completes, or until the context of
/// `where` is destroyed: then the frames are destroyed with it, and the handler too, uncalled. Until then it is
/// outstanding work of both executors.
template <spawn_target Where, class T, class Token>
auto spawn(Where&& where, coro::task<T> work, Token&& token) {
    return boost::asio::async_initiate<Token, typename detail::spawn_signature<T>::type>(
        detail::spawn_initiation(detail::executor_for(where)), token, std::move(work));
}

/// As above, for a callable that returns a task: it is called when the task is started, and kept, with its captures,
/// until the task's frame is destroyed. An exception that it throws is the task's.
/// g++ 12 destroys a temporary lambda's captures twice in an expression with co_await: there, under a token that is
/// awaited, one that has a destructor is refused. Name it on the line before and pass it, or sluice::moved(it).
template <spawn_target Where, class F, class Token>
    requires detail::task_callable<sluice::detail::taken_t<F>>
auto spawn(Where&& where, F&& callable, Token&& token) {
    using kept = sluice::detail::taken_t<F>;
    using signature = typename detail::spawn_signature<detail::callable_value<kept>>::type;
    auto start = [&] {
        return boost::asio::async_initiate<Token, signature>(
            detail::spawn_initiation(detail::executor_for(where)), token,
            detail::call_in_task<kept>(sluice::detail::take<F>(callable)));
    };
    if constexpr (sluice::detail::awaited_result<decltype(start())>)
        SLUICE_REFUSE_RISKY_CALLABLE_OF("spawn: ", F);
    return start();
}

} // namespace sluice::net
