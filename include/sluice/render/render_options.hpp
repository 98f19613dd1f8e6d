// Options of a render: how the JSON is written, how the output is buffered, how deep it may nest.
#pragma once

#include <sluice/encode/json_options.hpp>
#include <sluice/output/output_options.hpp>

#include <cstdint>

namespace sluice {

class render_options {
public:
    constexpr render_options() noexcept {}
    constexpr render_options(const json_options& json) noexcept : json_(json) {}
    constexpr render_options(const output_options& buffering) noexcept : output_(buffering) {}

    constexpr render_options& json(const json_options& options) noexcept {
        json_ = options;
        return *this;
    }
    constexpr render_options& output(const output_options& options) noexcept {
        output_ = options;
        return *this;
    }
    /// How many containers may be open at once, one inside the other; deeper is the error too_deep. Default 1,000.
    /// An opening writes and cannot wait: openings that together take more than a chunk past the high-water mark, with
    /// no write awaited between, fail too (write_not_awaited).
    constexpr render_options& depth_limit(std::uint32_t containers) noexcept {
        depth_limit_ = containers;
        return *this;
    }

    constexpr const json_options& json() const noexcept { return json_; }
    constexpr const output_options& output() const noexcept { return output_; }
    constexpr std::uint32_t depth_limit() const noexcept { return depth_limit_; }

private:
    json_options json_;
    output_options output_;
    std::uint32_t depth_limit_ = 1000;
};

} // namespace sluice
