#include "data_source.hpp"

#include "catalogue.hpp"
#include "test_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace package_catalog {
namespace {

// A program of its own for each test, in place of apt-cache.
class DataSourceTest : public testing::Test {
protected:
    std::string program(std::string_view body) const {
        const std::string path = folder.write("program", "#!/bin/sh\n" + std::string(body) + "\n");
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        return path;
    }

    data_source open(std::string_view body) const { return open_data(std::nullopt, sample, program(body)); }

    temporary_folder folder;
    std::string sample = folder.write("sample", "Package: sample\n");
    std::string fallback = "serving the sample " + sample + ", because " + folder.path("program");
};

TEST_F(DataSourceTest, AGivenFileIsServed) {
    const data_source source = open_data(folder.write("given", "Package: given\n"), sample, program("exit 1"));
    EXPECT_EQ(source.file.text(), "Package: given\n");
    EXPECT_EQ(source.message, "serving " + folder.path("given"));
}

TEST_F(DataSourceTest, AGivenFileThatCannotBeReadIsNotReplaced) {
    EXPECT_THROW(open_data(folder.path("none"), sample, program("echo Package: a")), file_error);
}

TEST_F(DataSourceTest, TheOutputOfTheProgramIsServed) {
    const data_source source = open("echo Package: $1");
    EXPECT_EQ(source.file.text(), "Package: dumpavail\n");
    EXPECT_EQ(source.file.name(), folder.path("program") + " dumpavail");
    EXPECT_EQ(source.message, "serving what `" + folder.path("program") + " dumpavail` prints");
}

TEST_F(DataSourceTest, TheProgramFindsNoInput) {
    EXPECT_EQ(open("echo Package: a; cat").file.text(), "Package: a\n");
}

TEST_F(DataSourceTest, WithoutTheProgramTheSampleIsServed) {
    const data_source source = open_data(std::nullopt, sample, folder.path("program"));
    EXPECT_EQ(source.file.text(), "Package: sample\n");
    EXPECT_EQ(source.message, fallback + " cannot be run: No such file or directory");
}

TEST_F(DataSourceTest, WhenTheProgramFailsTheSampleIsServed) {
    EXPECT_EQ(open("echo Package: cut; exit 3").message, fallback + " dumpavail failed with status 3");
    EXPECT_EQ(open("kill -KILL $$").message, fallback + " dumpavail was ended by signal 9");
}

TEST_F(DataSourceTest, WhenTheProgramPrintsNothingTheSampleIsServed) {
    EXPECT_EQ(open("exit 0").message, fallback + " dumpavail printed nothing");
}

TEST_F(DataSourceTest, WithoutTheSampleEitherThereIsAnError) {
    EXPECT_THROW(open_data(std::nullopt, folder.path("none"), folder.path("program")), file_error);
}

TEST_F(DataSourceTest, TheShippedSampleIsACatalogue) {
    const data_source source = open_data(std::nullopt, sample_path(), folder.path("program"));
    EXPECT_EQ(source.file.name(), sample_path());
    EXPECT_EQ(catalogue(mapped_file(sample_path())).size(), 87U);
}

} // namespace
} // namespace package_catalog
