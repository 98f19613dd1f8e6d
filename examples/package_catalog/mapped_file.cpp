#include "mapped_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace package_catalog {

namespace {

std::string reason_of(int error) {
    return std::generic_category().message(error);
}

} // namespace

mapped_file::mapped_file(const std::string& path) : name_(path) {
    // Without O_NONBLOCK the open of a FIFO waits for a writer before it can be refused.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        throw file_error(name_, "cannot be read: " + reason_of(errno));
    try {
        map(descriptor);
    } catch (...) {
        ::close(descriptor);
        throw;
    }
    ::close(descriptor);
}

mapped_file::mapped_file(int descriptor, std::string name) : name_(std::move(name)) {
    map(descriptor);
}

mapped_file::mapped_file(mapped_file&& other) noexcept
    : text_(std::exchange(other.text_, {})), name_(std::move(other.name_)) {}

mapped_file& mapped_file::operator=(mapped_file&& other) noexcept {
    std::swap(text_, other.text_);
    std::swap(name_, other.name_);
    return *this;
}

mapped_file::~mapped_file() {
    if (!text_.empty())
        ::munmap(const_cast<char*>(text_.data()), text_.size());
}

void mapped_file::map(int descriptor) {
    struct stat status{};
    if (::fstat(descriptor, &status) != 0)
        throw file_error(name_, "cannot be read: " + reason_of(errno));
    if (S_ISDIR(status.st_mode))
        throw file_error(name_, "is a directory, not a file");
    if (!S_ISREG(status.st_mode))
        throw file_error(name_, "is not a regular file, so it cannot be mapped");
    if (status.st_size == 0)
        throw file_error(name_, "is empty");
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address == MAP_FAILED)
        throw file_error(name_, "cannot be mapped: " + reason_of(errno));
    text_ = {static_cast<const char*>(address), size};
}

} // namespace package_catalog
