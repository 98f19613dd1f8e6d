#include "text.hpp"

#include "test_files.hpp"

#include <gtest/gtest.h>

#include <ranges>

namespace package_catalog {
namespace {

static_assert(std::ranges::input_range<text_pieces>);
static_assert(std::is_trivially_destructible_v<text_pieces::iterator>);

std::vector<std::string> pieces_of(std::string_view value) {
    std::vector<std::string> result;
    for (const std::string_view piece : text_pieces(value))
        result.emplace_back(piece);
    return result;
}

using strings = std::vector<std::string>;

TEST(TextTest, PiecesAreLinesWithBreaksBetweenThem) {
    EXPECT_EQ(pieces_of("one"), strings{"one"});
    EXPECT_EQ(pieces_of("one\n two\n .\n\t three"), (strings{"one", "\n", "two", "\n", "", "\n", " three"}));
    EXPECT_EQ(pieces_of("\n two"), (strings{"", "\n", "two"}));
}

TEST(TextTest, AnEmptyValueIsOneEmptyLine) {
    EXPECT_EQ(pieces_of(""), strings{""});
}

TEST(TextTest, ADotIsAnEmptyLineOnlyAloneInAContinuation) {
    EXPECT_EQ(pieces_of(".\n .\n ..\n  ."), (strings{".", "\n", "", "\n", "..", "\n", " ."}));
}

TEST(TextTest, CommentsAndCarriageReturnsAreLeftOut) {
    EXPECT_EQ(pieces_of("#one\r\n# c\r\n two\r\n#\n .\r\n x\ry"),
              (strings{"#one", "\n", "two", "\n", "", "\n", "x\ry"}));
}

TEST(TextTest, ARangeMayBeWalkedTwice) {
    const text_lines lines("a\n b");
    EXPECT_EQ(std::ranges::distance(lines), 2);
    EXPECT_EQ(std::ranges::distance(lines), 2);
}

TEST(TextTest, OneLineNeedsNoBuffer) {
    record current;
    control_reader reader("Package: a\nX: one\n#c\n two\n", "f");
    ASSERT_TRUE(reader.read(current));
    std::string buffer = "untouched";
    EXPECT_EQ(text_of(current.fields()[0], buffer), "a");
    EXPECT_EQ(list_of(current.fields()[0], buffer), "a");
    EXPECT_EQ(buffer, "untouched");
    EXPECT_EQ(text_of(current.fields()[1], buffer), "one\ntwo");
}

TEST(TextTest, AListLosesItsCommentsAndKeepsItsBreaks) {
    record current;
    control_reader reader("Package: a\nDepends: #a,\n# b, c\n .,\n d\nTag: e,\n f\n", "f");
    ASSERT_TRUE(reader.read(current));
    std::string buffer;
    EXPECT_EQ(list_of(current.fields()[1], buffer), "#a,\n .,\n d");
    EXPECT_EQ(list_of(current.fields()[2], buffer), "e,\n f");
    EXPECT_EQ(list_of(current.fields()[2], buffer).data(), current.fields()[2].value.data());
}

TEST(TextTest, AListLosesItsCarriageReturns) {
    record current;
    control_reader reader("Package: a\r\nDepends: b\r\n\tc\rd,\r\n#e\r\n f\r\n\r\nPackage: g\nTag: h,\r\n i\n", "f");
    ASSERT_TRUE(reader.read(current));
    std::string buffer;
    EXPECT_EQ(list_of(current.fields()[1], buffer), "b\n\tc\rd,\n f");
    ASSERT_TRUE(reader.read(current));
    EXPECT_EQ(list_of(current.fields()[1], buffer), "h,\n i");
}

} // namespace
} // namespace package_catalog
