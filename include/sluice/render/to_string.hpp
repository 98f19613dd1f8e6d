// Rendering into a string.
#pragma once

#include <sluice/output/string_sink.hpp>
#include <sluice/render/render.hpp>

#include <string>

namespace sluice {

namespace detail {

/// Runs the task on the calling thread, which blocks while it waits.
render_result wait_for_result(coro::task<render_result> work);

/// A callable that stays where it is.
template <class Content>
struct content_reference {
    Content& content;
    decltype(auto) operator()(slot out) const { return content(static_cast<slot&&>(out)); }
};

} // namespace detail

template <class Content>
std::string to_string(Content&& content, render_options options) {
    std::string text;
    string_sink sink(text);
    using reference = detail::content_reference<std::remove_reference_t<Content>>;
    throw_if_failed(detail::wait_for_result(render(sink, reference{content}, options)));
    return text;
}

} // namespace sluice
