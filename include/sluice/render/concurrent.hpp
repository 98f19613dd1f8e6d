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
#include <iterator>
#include <memory>
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

    /// Runs `work`, which starts children and takes them. When it fails, asks the children to stop, waits until all
    /// have ended, and throws what it threw. Throws no_scheduler where the chain that awaits it has none.
    coro::task<> run(coro::task<> work);
    std::size_t size() const noexcept { return size_; }
    /// Makes the part of one more child, to be started with what renders it.
    document& add();
    void start(coro::task<> work);
    /// Writes the first child that there is, to its end, and removes it. Throws the failure of whichever child fails
    /// first meanwhile.
    coro::task<> take_first();

private:
    struct child;
    struct state;
    void hold() noexcept;

    document& whole_;
    std::unique_ptr<state> state_;
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
        co_await parts.run(start_and_take(parts, range, write, at_once));
    }
}

/// Starts a child for each callable, and takes them in order.
template <class... Write>
coro::task<> start_and_take_all(concurrent_parts& parts, Write&... write) {
    const auto start = [&parts](auto& one) {
        document& part = parts.add();
        parts.start(call_part<object>(part, callable_reference<std::remove_reference_t<decltype(one)>>{one}));
    };
    (start(write), ...);
    while (parts.size() != 0)
        co_await parts.take_first();
}

template <class... Write>
coro::task<> members_concurrently(document& doc, std::uint32_t serial, unstarted start, Write... write) {
    start.begun();
    doc.check_writable(serial, label());
    concurrent_parts parts(doc);
    co_await parts.run(start_and_take_all(parts, write...));
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
    SLUICE_REFUSE_RISKY_CALLABLES(Write);
    return detail::members_concurrently<detail::taken_t<Write>...>(
        doc_, scope_.serial, detail::unstarted(doc_, "a write of children side by side was"),
        detail::take<Write>(write)...);
}

} // namespace sluice

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
