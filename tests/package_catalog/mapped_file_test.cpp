#include "mapped_file.hpp"

#include "test_files.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace package_catalog {
namespace {

std::string failure_to_map(const std::string& path) {
    try {
        mapped_file{path};
    } catch (const file_error& error) {
        return error.what();
    }
    return {};
}

TEST(MappedFileTest, TheTextIsTheFile) {
    const temporary_folder folder;
    const std::string content("a\0b\nc", 5);
    const mapped_file file(folder.write("data", content));
    EXPECT_EQ(file.text(), content);
    EXPECT_EQ(file.name(), folder.path("data"));
}

TEST(MappedFileTest, AMissingFileIsNamedWithTheReason) {
    const temporary_folder folder;
    EXPECT_EQ(failure_to_map(folder.path("none")), folder.path("none") + ": cannot be read: No such file or directory");
}

TEST(MappedFileTest, AnUnreadableFileIsNamedWithTheReason) {
    const temporary_folder folder;
    // Permissions do not stop root, who may run the tests; a path through a file stops everybody.
    const std::string path = folder.write("file", "x") + "/below";
    EXPECT_EQ(failure_to_map(path), path + ": cannot be read: Not a directory");
}

TEST(MappedFileTest, ADirectoryIsRefused) {
    const temporary_folder folder;
    EXPECT_EQ(failure_to_map(folder.path()), folder.path() + ": is a directory, not a file");
}

TEST(MappedFileTest, APipeIsRefusedAtOnce) {
    const temporary_folder folder;
    const std::string path = folder.path("pipe");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(failure_to_map(path), path + ": is not a regular file, so it cannot be mapped");
}

TEST(MappedFileTest, AnEmptyFileIsRefused) {
    const temporary_folder folder;
    const std::string path = folder.write("empty", "");
    EXPECT_EQ(failure_to_map(path), path + ": is empty");
}

TEST(MappedFileTest, AMoveKeepsTheAddress) {
    const temporary_folder folder;
    mapped_file first(folder.write("data", "content"));
    const char* const address = first.text().data();
    mapped_file second(std::move(first));
    EXPECT_EQ(second.text().data(), address);
    mapped_file third;
    third = std::move(second);
    EXPECT_EQ(third.text().data(), address);
    EXPECT_EQ(third.text(), "content");
}

TEST(MappedFileTest, ADescriptorMayBeClosedOnceItIsMapped) {
    const temporary_folder folder;
    const std::string path = folder.write("data", "content");
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_GE(descriptor, 0);
    const mapped_file file(descriptor, "some data");
    ::close(descriptor);
    ::unlink(path.c_str());
    EXPECT_EQ(file.text(), "content");
    EXPECT_EQ(file.name(), "some data");
}

} // namespace
} // namespace package_catalog
