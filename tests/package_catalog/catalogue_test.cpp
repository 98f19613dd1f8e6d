#include "catalogue.hpp"

#include "data_source.hpp"
#include "test_files.hpp"

#include <gtest/gtest.h>

#include <string>

namespace package_catalog {
namespace {

// The names that a reader goes through, with blanks between them.
std::string names_of(control_reader reader) {
    std::string result;
    for (record current; reader.read(current);)
        result.append(result.empty() ? "" : " ").append(current.package());
    return result;
}

TEST(CatalogueTest, RecordsComeInTheOrderOfTheFile) {
    const temporary_folder folder;
    const catalogue packages(mapped_file(folder.write("data", "Package: b\n\nPackage: a\n\nPackage: c\n")));
    EXPECT_EQ(packages.size(), 3U);
    EXPECT_EQ(names_of(packages.all()), "b a c");
}

TEST(CatalogueTest, ReadingGoesOnAfterAnyRecord) {
    const temporary_folder folder;
    const catalogue packages(mapped_file(folder.write("data", "Package: b\n\nPackage: a\n\nPackage: c\n")));
    ASSERT_TRUE(packages.after("b"));
    EXPECT_EQ(names_of(*packages.after("b")), "a c");
    EXPECT_EQ(names_of(*packages.after("c")), "");
    EXPECT_FALSE(packages.after("d"));
    EXPECT_FALSE(packages.after(""));
}

TEST(CatalogueTest, OfSeveralRecordsOfANameTheFirstIsFoundAndTheLastIsPassed) {
    const temporary_folder folder;
    const std::string text = "Package: a\nVersion: 1\n\nPackage: b\n\nPackage: a\nVersion: 2\n\nPackage: c\n";
    const catalogue packages(mapped_file(folder.write("data", text)));
    record found;
    ASSERT_TRUE(packages.find("a", found));
    EXPECT_EQ(found.find("version")->value, "1");
    ASSERT_TRUE(packages.after("a"));
    EXPECT_EQ(names_of(*packages.after("a")), "c");
}

TEST(CatalogueTest, EveryRecordOfTheSampleIsFoundByItsName) {
    const catalogue packages{mapped_file(sample_path())};
    record current;
    record found;
    for (control_reader reader = packages.all(); reader.read(current);) {
        ASSERT_TRUE(packages.find(current.package(), found)) << current.package();
        EXPECT_EQ(found.offset(), current.offset());
        const auto rest = packages.after(current.package());
        ASSERT_TRUE(rest);
        EXPECT_EQ(names_of(*rest), names_of(reader));
    }
    EXPECT_FALSE(packages.find("no-such-package", found));
}

TEST(CatalogueTest, TheIndexTakesEightBytesARecord) {
    const catalogue packages{mapped_file(sample_path())};
    EXPECT_EQ(packages.index_bytes(), packages.size() * 8);
}

TEST(CatalogueTest, AMalformedFileIsRefusedWithItsLine) {
    const temporary_folder folder;
    const std::string path = folder.write("data", "Package: a\n\nPackage: b\nVersion 1\n");
    try {
        catalogue{mapped_file(path)};
        FAIL() << "the file is taken";
    } catch (const malformed_input& error) {
        EXPECT_EQ(error.what(), path + ":4: neither 'Field: value' nor a continuation line: there is no colon");
    }
}

TEST(CatalogueTest, AFileWithoutRecordsIsRefused) {
    const temporary_folder folder;
    const std::string path = folder.write("data", "\n# nothing\n\n");
    try {
        catalogue{mapped_file(path)};
        FAIL() << "the file is taken";
    } catch (const file_error& error) {
        EXPECT_EQ(error.what(), path + ": holds no record, only empty lines or comments");
    }
}

} // namespace
} // namespace package_catalog
