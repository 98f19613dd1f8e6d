#include "query.hpp"

#include "control_file.hpp"

#include <gtest/gtest.h>

namespace package_catalog {
namespace {

list_request list_of_target(std::string_view target) {
    const request_target parsed = parse_target(target);
    if (const auto* failed = std::get_if<problem>(&parsed))
        ADD_FAILURE() << target << ": " << failed->detail;
    const auto* list = std::get_if<list_request>(&parsed);
    return list ? *list : list_request{};
}

// "<status> <detail>" of a problem; empty when there is none.
std::string problem_of(std::string_view target) {
    const request_target parsed = parse_target(target);
    const auto* failed = std::get_if<problem>(&parsed);
    if (!failed)
        return {};
    EXPECT_FALSE(failed->title.empty());
    return std::to_string(failed->status) + " " + failed->detail;
}

std::string package_of(std::string_view target) {
    const request_target parsed = parse_target(target);
    const auto* package = std::get_if<package_request>(&parsed);
    return package ? package->name : "(none) " + problem_of(target);
}

TEST(QueryTest, TheRootIsTheListOfEndpoints) {
    EXPECT_TRUE(std::holds_alternative<root_request>(parse_target("/")));
    EXPECT_TRUE(std::holds_alternative<root_request>(parse_target("/?")));
}

TEST(QueryTest, AListHasDefaults) {
    const list_request list = list_of_target("/packages");
    EXPECT_EQ(list.section + list.q + list.after, "");
    EXPECT_FALSE(list.limit);
    EXPECT_FALSE(list.buffered);
}

TEST(QueryTest, EveryParameterIsRead) {
    const list_request list = list_of_target("/packages?section=games&q=chess&limit=10&after=0ad&buffered=1");
    EXPECT_EQ(list.section, "games");
    EXPECT_EQ(list.q, "chess");
    EXPECT_EQ(list.limit, 10U);
    EXPECT_EQ(list.after, "0ad");
    EXPECT_TRUE(list.buffered);
    EXPECT_FALSE(list_of_target("/packages?buffered=0").buffered);
}

TEST(QueryTest, EmptyParametersAreSkippedAndEmptyValuesAreNone) {
    const list_request list = list_of_target("/packages?&section=&&q=&after&");
    EXPECT_EQ(list.section + list.q + list.after, "");
}

TEST(QueryTest, EscapesAreDecodedOnce) {
    EXPECT_EQ(list_of_target("/packages?q=a%20b%26c%3dd%2541").q, "a b&c=d%41");
    EXPECT_EQ(list_of_target("/packages?%71=x").q, "x");
}

TEST(QueryTest, APlusIsAPlus) {
    EXPECT_EQ(list_of_target("/packages?after=libstdc++6").after, "libstdc++6");
    EXPECT_EQ(package_of("/packages/libstdc++6"), "libstdc++6");
}

TEST(QueryTest, AnEqualsSignMayStandInAValue) {
    EXPECT_EQ(list_of_target("/packages?q=a=b=").q, "a=b=");
}

TEST(QueryTest, PackageNamesAreDecoded) {
    EXPECT_EQ(package_of("/packages/libstdc%2B%2B6"), "libstdc++6");
    EXPECT_EQ(package_of("/packages/a%2Fb"), "a/b");
    EXPECT_EQ(package_of("/packages/%C3%BC"), "\xC3\xBC");
}

TEST(QueryTest, TheAbsoluteFormIsTaken) {
    EXPECT_EQ(package_of("http://localhost:8080/packages/vim"), "vim");
    EXPECT_EQ(list_of_target("HTTPS://h/packages?limit=1").limit, 1U);
    EXPECT_TRUE(std::holds_alternative<root_request>(parse_target("http://h")));
}

TEST(QueryTest, LimitIsAnUnsignedNumber) {
    EXPECT_EQ(list_of_target("/packages?limit=0").limit, 0U);
    EXPECT_EQ(list_of_target("/packages?limit=18446744073709551615").limit, 18446744073709551615U);
    for (const char* value : {"", "-1", "+1", "1x", "x", "1.5", "0x1", "%201"})
        EXPECT_NE(problem_of(std::string("/packages?limit=") + value).find(", not an unsigned number"),
                  std::string::npos)
            << value;
    EXPECT_EQ(problem_of("/packages?limit=18446744073709551616"),
              "400 limit is '18446744073709551616', which is more than 64 bits hold");
    EXPECT_EQ(problem_of("/packages?limit"), "400 limit is '', not an unsigned number");
}

TEST(QueryTest, BufferedIsZeroOrOne) {
    EXPECT_EQ(problem_of("/packages?buffered=yes"), "400 buffered is 'yes', neither 0 nor 1");
    EXPECT_EQ(problem_of("/packages?buffered"), "400 buffered is '', neither 0 nor 1");
}

TEST(QueryTest, AnUnknownParameterIsAnErrorThatNamesTheKnownOnes) {
    EXPECT_EQ(
        problem_of("/packages?sort=name"),
        "400 there is no parameter 'sort'; the parameters of /packages are section, q, limit, after and buffered");
    EXPECT_EQ(problem_of("/packages?Q=x").substr(0, 29), "400 there is no parameter 'Q'");
    EXPECT_EQ(problem_of("/packages?=x").substr(0, 28), "400 there is no parameter ''");
}

TEST(QueryTest, ARepeatedParameterIsAnError) {
    EXPECT_EQ(problem_of("/packages?q=a&limit=1&q=b"), "400 the parameter 'q' is there twice");
    EXPECT_EQ(problem_of("/packages?q=a&q=a"), "400 the parameter 'q' is there twice");
}

TEST(QueryTest, ABadEscapeIsAnError) {
    for (const char* query : {"q=%", "q=%4", "q=%4g", "q=%g4", "q=a%%41", "%zz=1"})
        EXPECT_EQ(problem_of(std::string("/packages?") + query),
                  "400 the parameter '" + std::string(query) + "' has a '%' without two hexadecimal digits");
    EXPECT_EQ(problem_of("/packages/a%2"), "400 the path '/packages/a%2' has a '%' without two hexadecimal digits");
}

TEST(QueryTest, OtherPathsAreNotFound) {
    for (const char* path :
         {"/package", "/packagesx", "/packages/", "/packages/a/b", "//packages", "/packages//", "/Packages"})
        EXPECT_EQ(problem_of(path), "404 there is nothing at '" + std::string(path) + "'; GET / lists what there is");
}

TEST(QueryTest, ParametersWhereNoneAreTakenAreAnError) {
    EXPECT_EQ(problem_of("/packages/vim?limit=1").substr(0, 41), "400 '/packages/vim' takes no parameters; ");
    EXPECT_EQ(problem_of("/?q=x").substr(0, 29), "400 '/' takes no parameters; ");
}

TEST(QueryTest, TargetsOfAnotherFormAreErrors) {
    EXPECT_EQ(problem_of("*"), "400 the target '*' is not a path that begins with '/'");
    EXPECT_EQ(problem_of("packages"), "400 the target 'packages' is not a path that begins with '/'");
    EXPECT_EQ(problem_of(""), "400 the target '' is not a path that begins with '/'");
    EXPECT_EQ(problem_of("/packages#x"), "400 a request target has no fragment: write '#' as %23");
}

TEST(QueryTest, ProblemsOfNamesNameThem) {
    EXPECT_EQ(no_such_package("x").status, 404U);
    EXPECT_EQ(no_such_package("x").detail, "the catalogue has no package 'x'");
    EXPECT_EQ(no_such_place("x").status, 400U);
    EXPECT_EQ(no_such_place("x").detail, "after is 'x', and the catalogue has no package of that name");
}

TEST(QueryTest, RecordsAreMatchedBySectionAndWords) {
    record current;
    control_reader reader("Package: gnuchess\nSection: games\nDescription: plays Chess\n on many levels\n", "f");
    ASSERT_TRUE(reader.read(current));
    const auto is_match = [&](std::string section, std::string q) {
        list_request request;
        request.section = std::move(section);
        request.q = std::move(q);
        return matches(current, request);
    };
    EXPECT_TRUE(is_match("", ""));
    EXPECT_TRUE(is_match("games", ""));
    EXPECT_FALSE(is_match("game", ""));
    EXPECT_TRUE(is_match("", "NUCH"));
    EXPECT_TRUE(is_match("", "s ch"));
    EXPECT_TRUE(is_match("games", "LEVELS"));
    EXPECT_FALSE(is_match("admin", "chess"));
    EXPECT_FALSE(is_match("", "checkers"));
}

} // namespace
} // namespace package_catalog
