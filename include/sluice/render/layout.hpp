// Layouts: coroutines that wrap a template, which runs where they yield a slot.
#pragma once

#include <sluice/coro/promise_base.hpp>
#include <sluice/coro/task.hpp>
#include <sluice/gcc12.hpp>
#include <sluice/moved.hpp>
#include <sluice/render/slot.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

// g++ 12 warns of the frame of a coroutine template whose argument is a local type, wrongly: frames have no linkage.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif

namespace sluice {

namespace detail {

/// The template that a layout wraps, its type forgotten. Refers to whatever `content` is.
struct wrapped_template {
    coro::task<> (*call)(void* content, slot place);
    void* content;
};

class layout_promise;

} // namespace detail

/// A coroutine that takes a slot, and whatever else, by value or by reference:
///
///     sluice::layout application(sluice::slot out) {
///         auto json = out.object();
///         co_await json("version", 1);
///         co_yield json["data"];
///     }
///
/// `co_yield` of a slot runs the template at that point, into that slot, in the same stream, and goes on when it is
/// through: nothing is collected and spliced. Twice runs it twice; never renders without it. The layout runs first, the
/// template at its yield. There is one template for all yields, and no name to choose another by. What the template
/// throws comes out of the `co_yield`.
///
/// Runs by in_layout, and not otherwise: it cannot be awaited, so that no layout goes without its template by mistake.
class [[nodiscard("a layout does nothing by itself: sluice::in_layout(layout, content) is what to render")]] layout {
public:
    using promise_type = detail::layout_promise;

    layout(layout&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    layout& operator=(layout&&) = delete;
    ~layout();

    class run_awaiter;

    template <class Self = layout>
    std::suspend_never operator co_await() const noexcept {
        static_assert(!std::is_same_v<Self, layout>, "sluice: a layout is not awaited by itself, without its template: "
                                                     "sluice::in_layout(layout, content) is what to render");
        return {};
    }

    /// Runs the layout round a template, which must outlive the await: what in_layout does.
    run_awaiter run(detail::wrapped_template content) && noexcept;

private:
    friend detail::layout_promise;
    explicit layout(std::coroutine_handle<promise_type> handle) noexcept : handle_(handle) {}

    std::coroutine_handle<promise_type> handle_;
};

namespace detail {

class layout_promise final : public coro::promise_base {
public:
    layout get_return_object() noexcept { return layout(std::coroutine_handle<layout_promise>::from_promise(*this)); }
    void return_void() const noexcept {}
    void unhandled_exception() noexcept { exception_ = std::current_exception(); }

    coro::task<> yield_value(slot place) const { return content_.call(content_.content, std::move(place)); }
    template <class Other>
        requires(!std::convertible_to<Other, slot>)
    std::suspend_never yield_value(Other&&) const {
        static_assert(std::same_as<Other, slot>, "sluice: a layout yields a slot, where the template goes: co_yield "
                                                 "json[\"data\"], co_yield list.next(), or co_yield std::move(out)");
        return {};
    }

    void wrap(wrapped_template content) noexcept { content_ = content; }
    void result() const {
        if (exception_) [[unlikely]]
            std::rethrow_exception(exception_);
    }

private:
    wrapped_template content_{};
    std::exception_ptr exception_;
};

} // namespace detail

inline layout::~layout() {
    if (handle_) {
        handle_.promise().before_destroy(handle_);
        handle_.destroy();
    }
}

class layout::run_awaiter {
public:
    using chain_awaiter = void;

    run_awaiter(const run_awaiter&) = delete;
    run_awaiter& operator=(const run_awaiter&) = delete;

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> parent) const noexcept {
        const auto handle = running_.handle_;
        return handle.promise().run_as_child(handle, parent);
    }
    void await_resume() const { running_.handle_.promise().result(); }

private:
    friend class layout;
    explicit run_awaiter(layout&& started) noexcept : running_(std::move(started)) {}
    layout running_;
};

inline layout::run_awaiter layout::run(detail::wrapped_template content) && noexcept {
    handle_.promise().wrap(content);
    return run_awaiter(std::move(*this));
}

namespace detail {

/// A template and the arguments that it takes behind the slot, for as long as a layout runs.
template <class Content, class... Extra>
struct template_call {
    Content& content;
    std::tuple<Extra&...> extra;

    static coro::task<> call(void* object, slot place) {
        auto& self = *static_cast<template_call*>(object);
        using awaited = std::invoke_result_t<Content&, slot, Extra&...>;
        static_assert(!std::is_void_v<awaited>, SLUICE_NOTHING_TO_AWAIT);
        if constexpr (std::same_as<awaited, coro::task<>>)
            return self.start(std::move(place));
        else
            return self.await(std::move(place));
    }

private:
    decltype(auto) start(slot place) {
        return std::apply([&](Extra&... more) -> decltype(auto) { return content(std::move(place), more...); }, extra);
    }
    coro::task<> await(slot place) { co_await start(std::move(place)); }
};

template <class Layout, class... Arguments>
class layout_call {
public:
    template <class Wrap, class... Given>
    explicit layout_call(std::in_place_t, Wrap&& wrap, Given&&... arguments)
        : layout_(static_cast<Wrap&&>(wrap)), arguments_(static_cast<Given&&>(arguments)...) {}

    layout operator()(slot place) {
        return std::apply([&](Arguments&... given) { return layout_(std::move(place), given...); }, arguments_);
    }

private:
    Layout layout_;
    std::tuple<Arguments...> arguments_;
};

} // namespace detail

/// What in_layout returns: a template, to be rendered like any other. Owns the layout's callable and the content's.
template <class Call, class Content>
class laid_out {
public:
    template <class Inner>
    laid_out(Call&& wrap, Inner&& content) : wrap_(std::move(wrap)), content_(static_cast<Inner&&>(content)) {}

    /// `extra`, what the content is called with behind the slot, as a response's head, goes to the content alone.
    template <class... Extra>
        requires std::invocable<Content&, slot, Extra&...>
    coro::task<> operator()(slot out, Extra&... extra) {
        detail::template_call<Content, Extra...> content{content_, {extra...}};
        co_await wrap_(std::move(out)).run({&content.call, &content});
    }

private:
    Call wrap_;
    Content content_;
};

/// The template that renders `content` where the layout yields:
///
///     co_return co_await sluice::render(sink, sluice::in_layout(application, page));
///
/// `wrap` is called with the slot and the arguments (lvalues are referred to, and must live as long as what is
/// returned; temporaries are kept), and returns a sluice::layout. Content may be in a layout in its turn.
template <class Layout, class Content, class... Arguments>
auto in_layout(Layout&& wrap, Content&& content, Arguments&&... arguments) {
    SLUICE_REFUSE_RISKY_CALLABLE(Layout);
    SLUICE_REFUSE_RISKY_CALLABLE(Content);
    SLUICE_REFUSE_RISKY_VALUES(Arguments);
    using wrap_type = std::decay_t<detail::taken_t<Layout>>;
    using content_type = std::decay_t<detail::taken_t<Content>>;
    constexpr bool callable =
        std::invocable<wrap_type&, slot, std::remove_reference_t<detail::held_type<Arguments>>&...>;
    static_assert(callable, "sluice: a layout is called with a slot and the arguments given to in_layout");
    if constexpr (callable)
        static_assert(
            std::same_as<
                std::invoke_result_t<wrap_type&, slot, std::remove_reference_t<detail::held_type<Arguments>>&...>,
                layout>,
            "sluice: what in_layout wraps a template in returns a sluice::layout");
    using call = detail::layout_call<wrap_type, detail::held_type<Arguments>...>;
    return laid_out<call, content_type>(
        call(std::in_place, detail::take<Layout>(wrap), detail::take<Arguments>(arguments)...),
        detail::take<Content>(content));
}

} // namespace sluice

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
