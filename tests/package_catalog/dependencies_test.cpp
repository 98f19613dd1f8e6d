#include "dependencies.hpp"

#include <gtest/gtest.h>

#include <ranges>
#include <string>
#include <type_traits>

namespace package_catalog {
namespace {

static_assert(std::ranges::input_range<dependency_groups>);
static_assert(std::is_trivially_destructible_v<dependency_groups>);
static_assert(std::is_trivially_destructible_v<dependency_group::iterator>);

// Groups in brackets, alternatives with every part named.
std::string shown(std::string_view value) {
    std::string out;
    for (const dependency_group& group : dependency_groups(value)) {
        out += '[';
        for (const dependency& item : group) {
            if (!out.ends_with('['))
                out += '|';
            if (!item.is_valid) {
                out.append("?").append(item.text).append("?");
                continue;
            }
            out += item.name;
            if (!item.architecture.empty())
                out.append(" arch=").append(item.architecture);
            if (!item.relation.empty())
                out.append(" ").append(item.relation).append(" ").append(item.version);
            for (const std::string_view word : item.architectures)
                out.append(" on=").append(word);
            for (const word_list& profiles : item.profiles) {
                out += " <";
                for (const std::string_view word : profiles)
                    out.append(word).append(";");
                out += '>';
            }
        }
        out += ']';
    }
    return out;
}

TEST(DependenciesTest, GroupsAndAlternatives) {
    EXPECT_EQ(shown("a"), "[a]");
    EXPECT_EQ(shown("a, b | c|d ,e"), "[a][b|c|d][e]");
    EXPECT_EQ(shown("a,\n b |\n c"), "[a][b|c]");
}

TEST(DependenciesTest, VersionsHaveARelation) {
    EXPECT_EQ(shown("a (>= 1:2.0-1~b+c)"), "[a >= 1:2.0-1~b+c]");
    EXPECT_EQ(shown("a (<< 1), b (<= 1), c (= 1), d (>> 1)"), "[a << 1][b <= 1][c = 1][d >> 1]");
    EXPECT_EQ(shown("a (< 1), b (> 1)"), "[a < 1][b > 1]");
    EXPECT_EQ(shown("a(>=1),b  (  =  1  )"), "[a >= 1][b = 1]");
}

TEST(DependenciesTest, NamesMayHaveAQualifier) {
    EXPECT_EQ(shown("python3:any (>= 3.11), gcc:native"), "[python3 arch=any >= 3.11][gcc arch=native]");
}

TEST(DependenciesTest, ArchitecturesAndProfiles) {
    EXPECT_EQ(shown("a [linux-any !amd64]"), "[a on=linux-any on=!amd64]");
    EXPECT_EQ(shown("a <!nocheck>"), "[a <!nocheck;>]");
    EXPECT_EQ(shown("a:any (>= 1) [ i386 ] <!x y>  <z>"), "[a arch=any >= 1 on=i386 <!x;y;> <z;>]");
    EXPECT_EQ(shown("a (= 1)[i386]<x> | b"), "[a = 1 on=i386 <x;>|b]");
}

TEST(DependenciesTest, RealNamesAreNames) {
    EXPECT_EQ(shown("libstdc++6, librust-winapi+accctrl-dev, node-lodash.-x, task_1, 7zip"),
              "[libstdc++6][librust-winapi+accctrl-dev][node-lodash.-x][task_1][7zip]");
}

TEST(DependenciesTest, EmptyGroupsSayNothing) {
    EXPECT_EQ(shown(""), "");
    EXPECT_EQ(shown(" , ,"), "");
    EXPECT_EQ(shown("a, , b,\n"), "[a][b]");
}

TEST(DependenciesTest, WhatIsNoDependencyIsShownWhole) {
    EXPECT_EQ(shown("a | | b"), "[a|??|b]");
    EXPECT_EQ(shown("a |"), "[a|??]");
    for (const char* text :
         {"a b",          "a (1)",     "a (>= )",         "a (>=)", "a (>= 1", "a (== 1)", "a (=> 1)",
          "a (>= 1 2)",   "a ()",      "a (>= 1) x",      "a []",   "a [x",    "a <>",     "a < >",
          "a <x",         "a <x<y>",   "${misc:Depends}", "-a",     "a:",      "a: any",   ".",
          "a [x] (>= 1)", "a <x> [y]", "a (>>= 1)"})
        EXPECT_EQ(shown(text), "[?" + std::string(text) + "?]");
}

TEST(DependenciesTest, AnInvalidAlternativeSparesItsNeighbours) {
    EXPECT_EQ(shown("a, b c | d, e"), "[a][?b c?|d][e]");
}

TEST(DependenciesTest, AnInvalidAlternativeHasItsTextOnly) {
    const dependency item = parse_dependency(" a:any (>= 1) [x] <y> z ");
    EXPECT_FALSE(item.is_valid);
    EXPECT_EQ(item.text, "a:any (>= 1) [x] <y> z");
    EXPECT_TRUE(item.name.empty() && item.architecture.empty() && item.relation.empty() && item.version.empty());
    EXPECT_TRUE(item.architectures.text().empty() && item.profiles.text().empty());
}

} // namespace
} // namespace package_catalog
