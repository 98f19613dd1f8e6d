#include <sluice/error.hpp>
#include <sluice/output/callback_sink.hpp>
#include <sluice/output/file_sink.hpp>
#include <sluice/output/ostream_sink.hpp>
#include <sluice/output/string_sink.hpp>

#include <cerrno>
#include <fcntl.h>
#include <new>
#include <ostream>
#include <unistd.h>
#include <utility>

namespace sluice {

namespace {

// What a writing function threw, as an error.
std::error_code thrown_error() noexcept {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return std::make_error_code(std::errc::not_enough_memory);
    } catch (const std::length_error&) {
        return std::make_error_code(std::errc::not_enough_memory);
    } catch (const std::system_error& thrown) {
        return thrown.code() ? thrown.code() : make_error_code(errc::sink_failed);
    } catch (...) {
        return errc::sink_failed;
    }
}

std::error_code last_error() noexcept {
    return {errno, std::generic_category()};
}

} // namespace

std::error_code string_sink::write_now(const batch& bytes, bool) noexcept {
    try {
        for (const std::string_view run : bytes)
            to_.append(run);
        return {};
    } catch (...) {
        return thrown_error();
    }
}

std::error_code ostream_sink::write_now(const batch& bytes, bool last) noexcept {
    try {
        for (const std::string_view run : bytes)
            to_.write(run.data(), static_cast<std::streamsize>(run.size()));
        if (last)
            to_.flush();
        return to_ ? std::error_code() : std::make_error_code(std::io_errc::stream);
    } catch (...) {
        return thrown_error();
    }
}

std::error_code callback_sink::write_now(const batch& bytes, bool) noexcept {
    try {
        for (const std::string_view run : bytes)
            if (std::error_code error = take_(run))
                return error;
        return {};
    } catch (...) {
        return thrown_error();
    }
}

file_sink::file_sink(const std::string& path)
    : descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)), owned_(true) {
    if (descriptor_ < 0)
        throw std::system_error(last_error(), "sluice: cannot write " + path);
}

file_sink::~file_sink() {
    if (owned_ && descriptor_ >= 0)
        ::close(descriptor_);
}

std::error_code file_sink::close() noexcept {
    const int descriptor = std::exchange(descriptor_, -1);
    // EINTR: the descriptor is closed all the same on Linux, and its number may be another's by now.
    if (::close(descriptor) != 0 && errno != EINTR)
        return last_error();
    return {};
}

std::error_code file_sink::write_now(const batch& bytes, bool last) noexcept {
    for (std::string_view run : bytes) {
        while (!run.empty()) {
            const ssize_t taken = ::write(descriptor_, run.data(), run.size());
            if (taken < 0 && errno == EINTR)
                continue;
            if (taken < 0)
                return last_error();
            run.remove_prefix(static_cast<std::size_t>(taken));
        }
    }
    return last && owned_ ? close() : std::error_code();
}

} // namespace sluice
