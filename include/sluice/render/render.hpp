// Running a template: into a sink, awaited, or into a string.
#pragma once

#include <sluice/coro/chain.hpp>
#include <sluice/coro/task.hpp>
#include <sluice/output/sink.hpp>
#include <sluice/render/document.hpp>
#include <sluice/render/render_options.hpp>
#include <sluice/render/render_result.hpp>
#include <sluice/render/write.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

// g++ 12 warns of the frame of a coroutine template whose argument is a local type, wrongly: frames have no linkage.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif

namespace sluice {

namespace detail {

/// A template run in a chain of its own, inside the chain that awaits it: the output is told of its waits and its end.
class content_run {
public:
    using chain_awaiter = void;

    content_run(document& doc, coro::task<> content) noexcept : doc_(doc), content_(std::move(content)) {}
    content_run(const content_run&) = delete;
    content_run& operator=(const content_run&) = delete;
    ~content_run() {
        chain_.reset(); // an unfinished template poisons the document before its frames go
        doc_.detach();
    }

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) noexcept {
        outer_ = &self.promise().environment();
        waiting_ = self;
        outer_->next = {&start, this};
    }
    /// Never throws: the failure is the document's, what the template threw is kept.
    void await_resume() noexcept {}

    std::exception_ptr exception() const noexcept { return exception_; }

private:
    static std::coroutine_handle<> start(void* object) noexcept;
    static std::coroutine_handle<> ended(void* object) noexcept;

    document& doc_;
    coro::task<> content_;
    std::optional<coro::chain<void>> chain_;
    coro::environment* outer_ = nullptr;
    std::coroutine_handle<> waiting_;
    std::exception_ptr exception_;
    bool starting_ = false;
    bool finished_ = false;
};

/// Fills in what is known at the end.
render_result result_of(const document& doc, std::exception_ptr exception);

/// Calls `content(slot)` and awaits what it returns. Owns the callable, and with it whatever slots the callable keeps:
/// they are gone before the document ends.
template <class Content>
coro::task<> call_content(document& doc, Content content) {
    static_assert(std::invocable<Content&, slot>, "sluice: the content of a render is called with a sluice::slot");
    if constexpr (std::invocable<Content&, slot>) {
        static_assert(!std::is_void_v<std::invoke_result_t<Content&, slot>>, SLUICE_NOTHING_TO_AWAIT);
        co_await content(slot_access::root(doc));
    }
}

/// Runs a template into a document, to its end: everything written, or the sink aborted.
template <class Content>
coro::task<render_result> render_into(document& doc, Content content) {
    std::exception_ptr thrown;
    {
        content_run run(doc, call_content(doc, std::move(content)));
        co_await run;
        thrown = run.exception();
    }
    co_await drained(doc, wait_for::finish);
    co_return result_of(doc, thrown);
}

} // namespace detail

/// Renders `content`, a callable that takes a slot and returns what is to be awaited, into a sink, which must outlive
/// the task. The callable is kept; what it refers to must live until the task ends. Completes when the sink has taken
/// the whole document, or, after a failure, when nothing of it is in flight any more and the sink has been aborted.
/// Throws std::bad_alloc at most, before anything is written. Cancellation: a stop requested of the awaiting chain
/// fails the render with errc::cancelled.
template <class Content>
coro::task<render_result> render(sink& to, Content content, render_options options = {}) {
    detail::document doc(to, options);
    co_return co_await detail::render_into(doc, std::move(content));
}

/// Renders into a string, on the calling thread, which blocks while the template waits for something else. Throws what
/// the template threw, or render_error.
template <class Content>
std::string to_string(Content&& content, render_options options = {});

} // namespace sluice

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#include <sluice/render/to_string.hpp>
