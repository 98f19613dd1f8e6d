// Children of a container that are rendered side by side: each(..., concurrent(n)) and object::concurrently.
#pragma once

#include <sluice/coro/task.hpp>
#include <sluice/gcc12.hpp>
#include <sluice/moved.hpp>
#include <sluice/render/array.hpp>
#include <sluice/render/document.hpp>
#include <sluice/render/object.hpp>
#include <sluice/render/part.hpp>
#include <sluice/render/slot.hpp>
#include <sluice/render/value_kind.hpp>
#include <sluice/render/write_parts.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <type_traits>
#include <utility>

// g++ 12 warns of the frame of a coroutine template whose argument is a local type, wrongly: frames have no linkage.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif

namespace sluice {

namespace detail {

/// The children of the innermost container that have been started and not yet written. Each is a part with a small
/// output of its own, which becomes the document's when it is the child's turn. Nothing else is written to the document
/// while this lives.
class concurrent_parts {
public:
    explicit concurrent_parts(document& whole);
    concurrent_parts(const concurrent_parts&) = delete;
    concurrent_parts& operator=(const concurrent_parts&) = delete;
    /// Destroys the children that have not ended, as ~task does.
    ~concurrent_parts();

    /// Before the first child: takes the scheduler and the stop of the chain that awaits it. Throws no_scheduler.
    coro::task<> begin();
    std::size_t size() const noexcept { return size_; }
    /// Makes the part of one more child, to be started with what renders it.
    document& add();
    void start(coro::task<> work);
    /// Writes the first child that there is, to its end, and removes it. When a child fails, asks the others to stop,
    /// waits until all have ended, and throws the first failure.
    coro::task<> take_first();
    /// Asks the children to stop, and waits until all have ended. What they still write is refused.
    coro::task<> stop_all();

private:
    struct child;
    struct state;
    void hold() noexcept;

    document& whole_;
    state* const state_;
    std::size_t size_ = 0;
    std::uint64_t started_ = 0;
};

/// One element of each, as a child. The element is referred to, or, where the range does not keep it, owned.
template <class Element, class Write>
coro::task<> concurrent_element(document& part, Write& write, Element element, position where) {
    array list = part_access::elements(part);
    co_await call_each(write, list.next(), element, where);
}

/// Starts a child for each element, and takes them in order, no more than `at_once` at a time.
template <class Range, class Write>
coro::task<> start_and_take(concurrent_parts& parts, Range& range, Write& write, std::size_t at_once) {
    if constexpr (is_generator<std::remove_cvref_t<Range>>) {
        while (auto* element = co_await range.next()) {
            if (parts.size() == at_once)
                co_await parts.take_first();
            document& part = parts.add();
            parts.start(concurrent_element<std::remove_cv_t<each_value<Range>>>(part, write, std::move(*element),
                                                                                position(0, false)));
        }
    } else {
        // What a forward iterator refers to lives as long as its range.
        using reference = decltype(*std::ranges::begin(range));
        constexpr bool stays = std::is_lvalue_reference_v<reference> && forward_range<Range>;
        using held = std::conditional_t<stays, reference, std::remove_cvref_t<reference>>;
        const auto end = std::ranges::end(range);
        std::size_t index = 0;
        for (auto at = std::ranges::begin(range); at != end; ++index) {
            if (parts.size() == at_once)
                co_await parts.take_first();
            bool is_last = false;
            if constexpr (wants_position<Range, Write>) {
                auto next = at;
                ++next;
                is_last = next == end;
            }
            document& part = parts.add();
            parts.start(concurrent_element<held>(part, write, static_cast<held>(*at), position(index, is_last)));
            ++at;
        }
    }
    while (parts.size() != 0)
        co_await parts.take_first();
}

template <class Range, class Write>
coro::task<> each_concurrently(slot out, Range range, Write write, std::size_t at_once) {
    if constexpr (check_each<Range, Write>()) {
        document& doc = slot_access::doc(out);
        array list = out.array();
        concurrent_parts parts(doc);
        co_await parts.begin();
        std::exception_ptr failure;
        try {
            co_await start_and_take(parts, range, write, at_once);
        } catch (...) {
            failure = std::current_exception();
        }
        if (failure) { // of the range, or of the document: the children end first
            co_await parts.stop_all();
            std::rethrow_exception(failure);
        }
    }
}

template <class... Write>
coro::task<> members_concurrently(document& doc, std::uint32_t serial, unstarted start, Write... write) {
    start.begun();
    doc.check_writable(serial, label());
    concurrent_parts parts(doc);
    co_await parts.begin();
    const auto add = [&parts](auto& one) {
        document& part = parts.add();
        parts.start(call_part<object>(part, callable_reference<std::remove_reference_t<decltype(one)>>{one}));
    };
    std::exception_ptr failure;
    try {
        (add(write), ...);
        while (parts.size() != 0)
            co_await parts.take_first();
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure) {
        co_await parts.stop_all();
        std::rethrow_exception(failure);
    }
}

} // namespace detail

template <class Range, class Write>
auto slot::each(Range&& range, Write&& write, concurrent how) {
    SLUICE_REFUSE_RISKY_VALUE(Range);
    SLUICE_REFUSE_RISKY_CALLABLE(Write);
    return detail::each_concurrently<detail::held_type<Range>, detail::taken_t<Write>>(
        std::move(*this), detail::take<Range>(range), detail::take<Write>(write), how.at_once());
}

template <class... Write>
auto object::concurrently(Write&&... write) {
    static_assert(!(detail::refused_temporary<Write> || ...),
                  "g++ 12 destroys the captures of a temporary lambda twice in an expression with co_await: name it on "
                  "the line before and pass it, or sluice::moved(it)");
    return detail::members_concurrently<detail::taken_t<Write>...>(doc_, scope_.serial, detail::unstarted(doc_),
                                                                   detail::take<Write>(write)...);
}

} // namespace sluice

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
