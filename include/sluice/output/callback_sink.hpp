// A sink that hands its bytes to a function.
#pragma once

#include <sluice/output/sink.hpp>

#include <functional>
#include <string_view>
#include <system_error>

namespace sluice {

/// Calls the function for each run of bytes, in order. What it returns as an error, or throws, fails the render:
/// an exception that is not a std::system_error as errc::sink_failed.
class callback_sink final : public synchronous_sink {
public:
    using function = std::function<std::error_code(std::string_view bytes)>;
    explicit callback_sink(function take) : take_(std::move(take)) {}

private:
    std::error_code write_now(const batch& bytes, bool last) noexcept override;
    function take_;
};

} // namespace sluice
