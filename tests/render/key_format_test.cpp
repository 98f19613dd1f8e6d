// Key formats: the rules, and where they hold.
#include "expect_failure.hpp"
#include "runner.hpp"
#include <sluice/sluice.hpp>

#include <boost/describe/class.hpp>
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sluice::test {

namespace {

struct address {
    std::string zip_code;
    std::string street_name;
};
BOOST_DESCRIBE_STRUCT(address, (), (zip_code, street_name))

using table = std::vector<std::pair<std::string, std::string>>;

void expect_table(const key_format& format, const table& expected) {
    for (const auto& [name, key] : expected)
        EXPECT_EQ(format(name), key) << name;
}

// Restores the process default.
struct default_format {
    explicit default_format(const key_format& format) { set_default_key_format(format); }
    default_format(const default_format&) = delete;
    default_format& operator=(const default_format&) = delete;
    ~default_format() { set_default_key_format(keys::as_written()); }
};

const key_format shout("shout", [](std::string_view key) { return std::string(key) + "!"; });

} // namespace

TEST(KeyFormatTest, CamelRailsIsActiveSupportsTable) {
    expect_table(keys::camel_rails(), {{"first_name", "firstName"},
                                       {"_private", "Private"},
                                       {"x__y", "xY"},
                                       {"trailing_", "trailing"},
                                       {"URL_id", "uRLId"},
                                       {"createdAt", "createdAt"},
                                       {"a_BC", "aBc"},
                                       {"1st_item", "1stItem"},
                                       {"a/b_c", "a::BC"},
                                       {"", ""},
                                       {"_", ""},
                                       {"name", "name"}});
}

TEST(KeyFormatTest, CamelDiffersInAcronymsAndOuterUnderscores) {
    expect_table(keys::camel(), {{"first_name", "firstName"},
                                 {"_private", "_private"},
                                 {"x__y", "xY"},
                                 {"trailing_", "trailing_"},
                                 {"URL_id", "urlId"},
                                 {"createdAt", "createdAt"},
                                 {"a_BC", "aBc"},
                                 {"1st_item", "1stItem"},
                                 {"URLId", "urlId"},
                                 {"UserName", "userName"},
                                 {"ID", "id"},
                                 {"_", "_"},
                                 {"", ""},
                                 {"gr\xc3\xb6\xc3\x9f"
                                  "e_m",
                                  "gr\xc3\xb6\xc3\x9f"
                                  "eM"}});
}

TEST(KeyFormatTest, TheOthersAreWhatTheirNamesSay) {
    expect_table(
        keys::upper_camel(),
        {{"first_name", "FirstName"}, {"URL_id", "UrlId"}, {"createdAt", "CreatedAt"}, {"_private", "_Private"}});
    expect_table(keys::snake(), {{"firstName", "first_name"},
                                 {"first-name", "first_name"},
                                 {"HTTPServer", "http_server"},
                                 {"already_snake", "already_snake"},
                                 {"URL", "url"},
                                 {"item2Name", "item2_name"}});
    expect_table(keys::kebab(), {{"firstName", "first-name"}, {"first_name", "first-name"}});
    expect_table(keys::upper(), {{"first_name", "FIRST_NAME"}});
    expect_table(keys::lower(), {{"First_Name", "first_name"}});
    expect_table(keys::as_written(), {{"First_Name", "First_Name"}});
}

TEST(KeyFormatTest, SeveralApplyInSequence) {
    const key_format both(keys::snake(), keys::upper());
    const key_format three(keys::snake(), keys::upper(), shout);
    EXPECT_EQ(both("firstName"), "FIRST_NAME");
    EXPECT_EQ(three("firstName"), "FIRST_NAME!");
    EXPECT_EQ(three.name(), "snake, upper, shout");
}

TEST(KeyFormatTest, AFormatCoversEveryWayOfWritingAMember) {
    const std::map<std::string, int> map = {{"map_key", 1}};
    const auto all = [&](slot out) -> task<> {
        auto json = out.object(keys::camel());
        co_await json("plain_literal", 1);
        co_await json("text_literal", "x");
        co_await json("long_literal", std::string(100, 'y'));
        const std::string run_time = "run_time";
        co_await json(run_time, 2);
        co_await json[std::string("own_ed")](3);
        const address there{"1", "2"};
        co_await json("a_struct", there, only<"zip_code">);
        co_await json.merge(there);
        co_await json.merge(map);
        co_await json("picked_map", map, only<"map_key">);
        co_await json.put([&](auto& members) {
            members("put_one", 1);
            members.merge(there, only<"street_name">);
        });
        {
            auto inner = json["inner_object"].object();
            co_await inner("in_ner", 1);
            auto list = inner["the_list"].array();
            auto element = list.next().object();
            co_await element("el_ement", 1);
        }
        const std::vector<int> numbers = {1};
        co_await json["the_each"].each(numbers, [](slot place, int i) -> task<> {
            auto one = place.object();
            co_await one("each_one", i);
        });
        {
            auto text = json["the_text"].string();
            co_await text("t");
        }
        co_await json("a_value_map", map);          // its keys are data
        co_await json.splice(R"("ready_bytes":1)"); // never touched
        co_await json("with\"quote_", 1);
    };
    const std::string expected =
        R"({"plainLiteral":1,"textLiteral":"x","longLiteral":")" + std::string(100, 'y') +
        R"(","runTime":2,"ownEd":3,"aStruct":{"zipCode":"1"},"zipCode":"1","streetName":"2","mapKey":1,)"
        R"("pickedMap":{"mapKey":1},"putOne":1,"streetName":"2","innerObject":{"inNer":1,"theList":[{"elEment":1}]},)"
        R"("theEach":[{"eachOne":1}],"theText":"t","aValueMap":{"map_key":1},"ready_bytes":1,"with\"quote_":1})";
    for (int run = 0; run < 2; ++run) { // formatted now, and found formatted
        EXPECT_EQ(to_string(all), expected);
        for (const std::size_t chunk : {1U, 7U, 31U, 32U, 33U, 64U, 100U})
            EXPECT_EQ(render_slowly(all, {}, chunk, 2 * chunk, 5).bytes, expected) << "chunk " << chunk;
    }
}

TEST(KeyFormatTest, AFormatEndsWithItsContainer) {
    const auto nested = [](slot out) -> task<> {
        auto json = out.object();
        {
            auto upper = json["level_one"].object(keys::upper());
            co_await upper("in_side", 1);
            {
                auto written = upper["as_it_is"].object(keys::as_written());
                co_await written("in_side", 2);
                {
                    auto list = written["list_list"].array(keys::camel());
                    auto one = list.next().object();
                    co_await one("in_side", 3);
                }
                co_await written("be_hind", 4);
            }
            co_await upper("be_hind", 5);
        }
        co_await json("be_hind", 6);
    };
    EXPECT_EQ(
        to_string(nested),
        R"({"level_one":{"IN_SIDE":1,"AS_IT_IS":{"in_side":2,"list_list":[{"inSide":3}],"be_hind":4},"BE_HIND":5},)"
        R"("be_hind":6})");
    EXPECT_EQ(
        to_string(nested, render_options().keys(shout)),
        R"({"level_one!":{"IN_SIDE":1,"AS_IT_IS":{"in_side":2,"list_list":[{"inSide":3}],"be_hind":4},"BE_HIND":5},)"
        R"("be_hind!":6})");
}

TEST(KeyFormatTest, TheProcessDefaultHoldsWhereNothingElseDoes) {
    const auto one = [](slot out) -> task<> {
        auto json = out.object();
        co_await json("first_name", 1);
    };
    EXPECT_EQ(to_string(one), R"({"first_name":1})");
    {
        const default_format global(keys::camel());
        EXPECT_EQ(&default_key_format(), &keys::camel());
        EXPECT_EQ(to_string(one), R"({"firstName":1})");
        EXPECT_EQ(to_string(one, render_options().keys(keys::upper())), R"({"FIRST_NAME":1})");
        EXPECT_EQ(to_string(one, render_options().keys(keys::as_written())), R"({"first_name":1})");
    }
    EXPECT_EQ(to_string(one), R"({"first_name":1})");
}

TEST(KeyFormatTest, ALiteralIsFormattedOnceInTheProcess) {
    static int calls = 0;
    static const key_format counted("counted", [](std::string_view key) {
        ++calls;
        return std::string(key) + "_";
    });
    const auto many = [](slot out) -> task<> {
        auto list = out.array(counted);
        for (int i = 0; i < 100; ++i) {
            auto json = list.next().object();
            co_await json("short", i);
            co_await json("a_literal_that_is_longer_than_what_is_kept_ready", i);
            const address there{"1", "2"};
            co_await json.merge(there);
        }
    };
    to_string(many);
    to_string(many, json_options().html_safe(true));
    EXPECT_EQ(calls, 4);
}

TEST(KeyFormatTest, ManyLiteralsShareATable) {
    // More than its places: described members count as literals too.
    static int calls = 0;
    static const key_format counted("counted", [](std::string_view key) {
        ++calls;
        return "<" + std::string(key) + ">";
    });
    std::vector<std::string> names;
    for (int i = 0; i < 2000; ++i)
        names.push_back("name_" + std::to_string(i));
    const auto look = [&] {
        for (const std::string& name : names) {
            const detail::label literal(name.data(),
                                        detail::literal_meta(name.data(), name.size(), detail::key_kind::plain));
            ASSERT_EQ(*counted.find(literal)->name, "<" + name + ">");
        }
    };
    look();
    look();
    EXPECT_EQ(calls, 2000);
}

TEST(KeyFormatTest, ResultsThatNeedEscapesAreEscaped) {
    static const key_format odd("odd", [](std::string_view key) { return "\"<\n" + std::string(key) + "\xff"; });
    const auto one = [](slot out) -> task<> {
        auto json = out.object(odd);
        co_await json("a", 1);
        const std::string run_time = "b";
        co_await json(run_time, 2);
    };
    EXPECT_EQ(to_string(one), "{\"\\\"<\\na\xef\xbf\xbd\":1,\"\\\"<\\nb\xef\xbf\xbd\":2}");
    EXPECT_EQ(to_string(one, json_options().html_safe(true)),
              "{\"\\\"\\u003c\\na\xef\xbf\xbd\":1,\"\\\"\\u003c\\nb\xef\xbf\xbd\":2}");
    expect_failure(one, errc::invalid_utf8, "$", json_options().invalid_utf8(invalid_utf8_policy::error));
}

TEST(KeyFormatTest, AResultThatIsTooLongFails) {
    static const key_format longer("longer", [](std::string_view key) { return std::string(3000, key[0]); });
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object(longer);
            co_await json("a", 1);
        },
        errc::key_too_long, "$");
}

TEST(KeyFormatTest, WhatARuleThrowsComesOutOfTheWriteAndNothingIsWritten) {
    static const key_format picky("picky", [](std::string_view key) {
        if (key == "bad")
            throw std::invalid_argument("no such key");
        return std::string(key);
    });
    const auto one = [](slot out) -> task<> {
        auto json = out.object(picky);
        bool caught = false;
        try {
            co_await json("bad", 1);
        } catch (const std::invalid_argument&) {
            caught = true;
        }
        co_await json("caught", caught);
    };
    EXPECT_EQ(to_string(one), R"({"caught":true})");
}

TEST(KeyFormatTest, ALongRunOfGrowingKeysIsWrittenInParts) {
    static const key_format longer("longer",
                                   [](std::string_view key) { return std::string(1000, 'k') + std::string(key); });
    std::map<std::string, int> map;
    std::string expected = "{";
    for (int i = 10; i < 60; ++i) {
        map.emplace(std::to_string(i), i);
        expected += (i == 10 ? "\"" : ",\"") + std::string(1000, 'k') + std::to_string(i) + "\":" + std::to_string(i);
    }
    const auto merged = [&](slot out) -> task<> {
        auto json = out.object(longer);
        co_await json.merge(map);
    };
    for (const std::size_t chunk : {1U, 64U, 4096U})
        EXPECT_EQ(render_slowly(merged, {}, chunk, chunk, 1000).bytes, expected + "}");
}

TEST(KeyFormatTest, PathsNameMembersAsTheTemplateDoes) {
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object(keys::camel());
            auto inner = json["home_address"].object();
            static_cast<void>(inner["zip_code"]);
            co_return;
        },
        errc::member_without_value, "$.home_address.zip_code");
}

TEST(KeyFormatTest, SeveralThreadsFormatTheSameLiterals) {
    static const key_format fresh("fresh", [](std::string_view key) { return keys::upper()(key); });
    const auto one = [](slot out) -> task<> {
        auto json = out.object(fresh);
        co_await json("a_a", 1);
        co_await json("b_b", 2);
        co_await json("c_c", 3);
        co_await json("a_literal_that_is_longer_than_what_is_kept_ready", 4);
    };
    std::vector<std::thread> threads;
    std::vector<std::string> came(4);
    for (std::string& text : came)
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i)
                text = to_string(one);
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const std::string& text : came)
        EXPECT_EQ(text, R"({"A_A":1,"B_B":2,"C_C":3,"A_LITERAL_THAT_IS_LONGER_THAN_WHAT_IS_KEPT_READY":4})");
}

} // namespace sluice::test
