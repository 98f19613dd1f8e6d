// Rendering into a string.
#pragma once

#include <sluice/coro/sync_wait.hpp>
#include <sluice/output/string_sink.hpp>
#include <sluice/render/render.hpp>

#include <functional>
#include <string>

namespace sluice {

template <class Content>
std::string to_string(Content&& content, render_options options) {
    std::string text;
    string_sink sink(text);
    throw_if_failed(coro::sync_wait(render(sink, std::ref(content), options)));
    return text;
}

} // namespace sluice
