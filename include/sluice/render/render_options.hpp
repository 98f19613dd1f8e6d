// Options of a render: how the JSON is written, how the output is buffered, how deep it may nest.
#pragma once

#include <sluice/encode/json_options.hpp>
#include <sluice/output/output_options.hpp>

#include <cstdint>

namespace sluice {

class key_format;

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

    /// How keys are spelt (sluice::keys, or a format of your own), which must outlive the render. Default: what
    /// set_default_key_format has set when the render begins.
    constexpr render_options& keys(const key_format& format) noexcept {
        keys_ = &format;
        return *this;
    }
    render_options& keys(const key_format&&) = delete;

    /// Whether spliced bytes are read, and refused (errc::invalid_splice) where they are not JSON. Default: in debug
    /// builds of the library.
    constexpr render_options& check_splices(bool value) noexcept {
        check_splices_ = value ? check::on : check::off;
        return *this;
    }
    /// Whether a key that stands in its object already fails the render (errc::duplicate_key), that of a spliced pair
    /// too; spliced bytes are checked. Remembers the keys of all open objects: for tests. Default: false.
    constexpr render_options& strict(bool value) noexcept {
        strict_ = value;
        return *this;
    }

    constexpr const json_options& json() const noexcept { return json_; }
    constexpr const output_options& output() const noexcept { return output_; }
    constexpr std::uint32_t depth_limit() const noexcept { return depth_limit_; }
    bool check_splices() const noexcept;
    constexpr bool strict() const noexcept { return strict_; }
    /// Null where none has been named.
    constexpr const key_format* keys() const noexcept { return keys_; }

private:
    json_options json_;
    output_options output_;
    std::uint32_t depth_limit_ = 1000;
    const key_format* keys_ = nullptr;
    enum class check : unsigned char { in_debug_builds, off, on };
    check check_splices_ = check::in_debug_builds;
    bool strict_ = false;
};

} // namespace sluice
