// A sink that writes to a file.
#pragma once

#include <sluice/output/sink.hpp>

#include <string>

namespace sluice {

/// Creates or truncates a file; at the end of the document it is closed. A render that fails leaves what was written,
/// which is never a complete document. Blocks the calling thread while the file system does.
class file_sink final : public synchronous_sink {
public:
    /// Throws std::system_error, naming the path, when the file cannot be opened.
    explicit file_sink(const std::string& path);
    /// Writes to an open descriptor, which stays the caller's.
    explicit file_sink(int descriptor) noexcept : descriptor_(descriptor) {}
    ~file_sink() override;

private:
    std::error_code write_now(const batch& bytes, bool last) noexcept override;
    std::error_code close() noexcept;

    int descriptor_ = -1;
    bool owned_ = false;
};

} // namespace sluice
