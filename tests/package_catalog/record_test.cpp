#include "record.hpp"

#include "control_file.hpp"

#include <gtest/gtest.h>

namespace package_catalog {
namespace {

TEST(RecordTest, FieldsAreFoundInAnyCase) {
    record current;
    control_reader reader("PACKAGE: a\nsection: games\nDescription: b\n c\nX-Y: d\n", "f");
    ASSERT_TRUE(reader.read(current));
    EXPECT_EQ(current.package(), "a");
    EXPECT_EQ(current.section(), "games");
    EXPECT_EQ(current.description(), "b\n c");
    ASSERT_TRUE(current.find("x-y"));
    EXPECT_EQ(current.find("x-y")->name, "X-Y");
    EXPECT_EQ(current.find("x-z"), nullptr);
}

TEST(RecordTest, MissingFieldsAreEmpty) {
    record current;
    control_reader reader("Package: a\n", "f");
    ASSERT_TRUE(reader.read(current));
    EXPECT_EQ(current.section(), "");
    EXPECT_EQ(current.description(), "");
}

TEST(RecordTest, FieldsKnowTheirKind) {
    record current;
    control_reader reader("Package: a\nMaintainer: b\nDepends: c\nTag: d\nSize: 1\nX-Z-Built-Using: e\nX-Y: f\n g\n",
                          "f");
    ASSERT_TRUE(reader.read(current));
    const field_kind kinds[] = {field_kind::text, field_kind::maintainer,   field_kind::dependencies, field_kind::tags,
                                field_kind::size, field_kind::dependencies, field_kind::text};
    ASSERT_EQ(current.fields().size(), std::size(kinds));
    for (std::size_t at = 0; at < std::size(kinds); ++at)
        EXPECT_EQ(current.fields()[at].kind, kinds[at]) << at;
    EXPECT_FALSE(current.fields()[4].is_folded);
    EXPECT_TRUE(current.fields()[6].is_folded);
    EXPECT_EQ(current.fields()[3].known_key, "tag");
    EXPECT_EQ(current.fields()[6].known_key, "");
}

} // namespace
} // namespace package_catalog
