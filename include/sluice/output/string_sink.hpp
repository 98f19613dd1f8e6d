// A sink that appends to a std::string.
#pragma once

#include <sluice/output/sink.hpp>

#include <string>

namespace sluice {

class string_sink final : public synchronous_sink {
public:
    /// `to` must outlive the sink; what it holds already is kept.
    explicit string_sink(std::string& to) noexcept : to_(to) {}

private:
    std::error_code write_now(const batch& bytes, bool last) noexcept override;
    std::string& to_;
};

} // namespace sluice
