// Options of async_respond.
#pragma once

#include <sluice/render/render_options.hpp>

namespace sluice::http {

/// How a response is rendered and buffered. A class with setters, never an aggregate (docs/gcc12.md).
class respond_options {
public:
    constexpr respond_options() noexcept {}
    constexpr respond_options(const render_options& how) noexcept : render_(how) {}
    constexpr respond_options(const json_options& json) noexcept : render_(json) {}
    constexpr respond_options(const output_options& buffering) noexcept : render_(buffering) {}

    constexpr respond_options& render(const render_options& how) noexcept {
        render_ = how;
        return *this;
    }
    /// How the JSON is written.
    constexpr respond_options& json(const json_options& options) noexcept {
        render_.json(options);
        return *this;
    }
    /// Chunks, marks and linger time. A chunk is also what a document must fit in to be sent with a Content-Length.
    constexpr respond_options& output(const output_options& options) noexcept {
        render_.output(options);
        return *this;
    }

    constexpr const render_options& render() const noexcept { return render_; }

private:
    render_options render_;
};

} // namespace sluice::http
