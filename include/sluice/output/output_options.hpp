// Options of an output: its chunks, its marks, its linger time.
#pragma once

#include <sluice/duration.hpp>
#include <sluice/output/chunk_pool.hpp>

#include <cstddef>
#include <cstdint>

namespace sluice {

/// A class with setters, never an aggregate: g++ 12 destroys aggregate temporaries in co_await expressions twice.
class output_options {
public:
    constexpr output_options() noexcept {}

    /// Where chunks come from; chunk_pool::shared() when null. The pool outlives the output and the writes it begins.
    constexpr output_options& pool(chunk_pool* from) noexcept {
        pool_ = from;
        return *this;
    }
    /// The gate closes when this many bytes are buffered. Default: twice the chunk size; at least 1.
    constexpr output_options& high_water(std::size_t bytes) noexcept {
        high_water_ = bytes > 0 ? bytes : 1;
        return *this;
    }
    /// The gate opens when no more than this many bytes are buffered. Default: half of the high-water mark.
    constexpr output_options& low_water(std::size_t bytes) noexcept {
        low_water_ = bytes;
        has_low_water_ = true;
        return *this;
    }
    /// How long rendered bytes wait for more while the template waits for something else and the sink is idle, once
    /// something has been sent. Default 5 ms. Needs a scheduler; without one they wait for the next write.
    template <duration_like Duration>
    constexpr output_options& linger(const Duration& time) noexcept {
        linger_ = nanoseconds_of(time);
        return *this;
    }

    chunk_pool& pool() const { return pool_ != nullptr ? *pool_ : chunk_pool::shared(); }
    std::size_t high_water() const { return high_water_ != 0 ? high_water_ : 2 * pool().chunk_size(); }
    std::size_t low_water() const {
        const std::size_t wanted = has_low_water_ ? low_water_ : high_water() / 2;
        const std::size_t most = high_water() - 1;
        return wanted < most ? wanted : most;
    }
    /// In nanoseconds.
    constexpr std::int64_t linger() const noexcept { return linger_; }

private:
    chunk_pool* pool_ = nullptr;
    std::size_t high_water_ = 0;
    std::size_t low_water_ = 0;
    bool has_low_water_ = false;
    std::int64_t linger_ = 5'000'000;
};

} // namespace sluice
