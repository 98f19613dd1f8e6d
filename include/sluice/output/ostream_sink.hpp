// A sink that writes to a std::ostream.
#pragma once

#include <sluice/output/sink.hpp>

#include <iosfwd>

namespace sluice {

/// Fails with std::io_errc::stream when the stream does. The stream is flushed at the end of the document.
class ostream_sink final : public synchronous_sink {
public:
    /// `to` must outlive the sink.
    explicit ostream_sink(std::ostream& to) noexcept : to_(to) {}

private:
    std::error_code write_now(const batch& bytes, bool last) noexcept override;
    std::ostream& to_;
};

} // namespace sluice
