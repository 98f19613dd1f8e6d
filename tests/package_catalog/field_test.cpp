#include "field.hpp"

#include <gtest/gtest.h>

namespace package_catalog {
namespace {

std::string key_of(std::string_view name) {
    field item;
    item.name = name;
    if (const known_field* known = find_known_field(name))
        item.known_key = known->key;
    std::string buffer;
    return std::string(json_key(item, buffer));
}

TEST(FieldTest, KeysAreLowerCaseWithUnderscores) {
    EXPECT_EQ(key_of("Installed-Size"), "installed_size");
    EXPECT_EQ(key_of("MD5sum"), "md5sum");
    EXPECT_EQ(key_of("X-My-FIELD.2"), "x_my_field.2");
}

TEST(FieldTest, KnownKeysAreNotBuilt) {
    field item;
    item.name = "Installed-Size";
    item.known_key = find_known_field(item.name)->key;
    std::string buffer = "untouched";
    EXPECT_EQ(json_key(item, buffer), "installed_size");
    EXPECT_EQ(buffer, "untouched");
}

TEST(FieldTest, KindsAreKnownInAnyCase) {
    EXPECT_EQ(kind_of("maintainer"), field_kind::maintainer);
    EXPECT_EQ(kind_of("Original-Maintainer"), field_kind::maintainer);
    EXPECT_EQ(kind_of("TAG"), field_kind::tags);
    EXPECT_EQ(kind_of("Size"), field_kind::size);
    EXPECT_EQ(kind_of("installed-size"), field_kind::size);
    for (const char* name :
         {"Depends", "Pre-Depends", "Recommends", "Suggests", "Enhances", "Breaks", "Conflicts", "Replaces", "Provides",
          "Built-Using", "Static-Built-Using", "X-Cargo-Built-Using", "X-New-Built-Using"})
        EXPECT_EQ(kind_of(name), field_kind::dependencies) << name;
}

TEST(FieldTest, EverythingElseIsText) {
    for (const char* name :
         {"Description", "Package", "Depend", "Dependss", "X-Depends", "Built-Usin", "-Built-Using", "S", ""})
        EXPECT_EQ(kind_of(name), field_kind::text) << name;
}

TEST(FieldTest, EveryByteOfANameIsPrintableAsciiWithoutColon) {
    for (int byte = 0; byte < 256; ++byte) {
        const bool allowed = byte > 0x20 && byte < 0x7F && byte != ':';
        EXPECT_EQ(key_byte(static_cast<char>(byte)) != 0, allowed) << byte;
    }
}

TEST(FieldTest, NamesWithTheSameKeyAreTheSame) {
    EXPECT_TRUE(same_key("Pre-Depends", "pre_DEPENDS"));
    EXPECT_FALSE(same_key("Depends", "Depend"));
    EXPECT_FALSE(same_key("Depends", "Dependz"));
}

} // namespace
} // namespace package_catalog
