// Capturing: a part of the document rendered into a string instead, to be spliced later or kept.
#pragma once

#include <sluice/coro/task.hpp>
#include <sluice/gcc12.hpp>
#include <sluice/output/string_sink.hpp>
#include <sluice/render/array.hpp>
#include <sluice/render/document.hpp>
#include <sluice/render/object.hpp>
#include <sluice/render/part.hpp>
#include <sluice/render/slot.hpp>

#include <string>
#include <utility>

// g++ 12 warns of the frame of a coroutine template whose argument is a local type, wrongly: frames have no linkage.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif

namespace sluice {

namespace detail {

/// Nothing is written to the document while this lives.
class captured_meanwhile {
public:
    explicit captured_meanwhile(document& doc) noexcept : doc_(doc) {
        doc.hold("it was written from inside a capture, which this would miss");
    }
    captured_meanwhile(const captured_meanwhile&) = delete;
    captured_meanwhile& operator=(const captured_meanwhile&) = delete;
    ~captured_meanwhile() { doc_.release(); }

private:
    document& doc_;
};

template <class Place, class Write>
coro::task<std::string> capture_at(document& whole, std::uint32_t serial, label name, Write write) {
    whole.check_writable(serial, name);
    std::string bytes;
    string_sink to(bytes);
    document part(to, document::part_of{whole, true, output_options()});
    std::exception_ptr thrown;
    {
        const captured_meanwhile held(whole);
        content_run run(part, call_part<Place>(part, std::move(write)));
        co_await run;
        thrown = run.exception();
        co_await drained(part, wait_for::finish);
    }
    part_ended(whole, name, part, thrown);
    co_return bytes;
}

} // namespace detail

template <class Write>
auto slot::capture(Write&& write) const {
    SLUICE_REFUSE_RISKY_CALLABLE(Write);
    return detail::capture_at<slot, detail::taken_t<Write>>(*doc_, serial_, name_, detail::take<Write>(write));
}

template <class Write>
auto object::capture(Write&& write) {
    SLUICE_REFUSE_RISKY_CALLABLE(Write);
    return detail::capture_at<object, detail::taken_t<Write>>(doc_, scope_.serial, detail::label(),
                                                              detail::take<Write>(write));
}

template <class Write>
auto array::capture(Write&& write) {
    SLUICE_REFUSE_RISKY_CALLABLE(Write);
    return detail::capture_at<array, detail::taken_t<Write>>(doc_, scope_.serial, detail::label(),
                                                             detail::take<Write>(write));
}

} // namespace sluice

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
