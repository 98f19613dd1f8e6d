// What is JSON and what is not, and where.
#include <sluice/encode/json_check.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace sluice::encode {

namespace {

bool is(json_part part, std::string_view text) {
    return check_json(text, part, 100).what == nullptr;
}

} // namespace

TEST(JsonCheckTest, ValuesByTheGrammar) {
    for (const char* good :
         {"null",         "true",    "false", "0",           "-0",      "10",
          "-1.5",         "1e5",     "1E-5",  "1.0e+10",     "\"\"",    "\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
          "\"\xc3\xa9\"", "[]",      "{}",    " [ 1 , 2 ] ", "[[],{}]", "{\"a\":{\"b\":[1,{\"c\":null}]},\"d\":\"\"}",
          "\t\r\n 1",     "\"\x7f\""})
        EXPECT_TRUE(is(json_part::value, good)) << good;
    for (const char* bad : {"",
                            " ",
                            "nul",
                            "nulll",
                            "True",
                            "01",
                            "-",
                            "+1",
                            ".5",
                            "1.",
                            "1e",
                            "1e+",
                            "0x1",
                            "NaN",
                            "'a'",
                            "\"a",
                            "\"\\a\"",
                            "\"\\u12g4\"",
                            "\"\\u123\"",
                            "\"\n\"",
                            "\"\xff\"",
                            "\"\xc3\"",
                            "\"\xed\xa0\x80\"",
                            "[",
                            "]",
                            "[1",
                            "[1,]",
                            "[,1]",
                            "[1 2]",
                            "{",
                            "}",
                            "{\"a\"}",
                            "{\"a\":}",
                            "{\"a\":1,}",
                            "{,}",
                            "{a:1}",
                            "{1:1}",
                            "{\"a\":1 \"b\":2}",
                            "[1}",
                            "{\"a\":1]",
                            "1 2",
                            "1,2",
                            "[]]",
                            "//",
                            "\xef\xbb\xbf"
                            "1"})
        EXPECT_FALSE(is(json_part::value, bad)) << bad;
}

TEST(JsonCheckTest, PairsAndElementsAreWhatStandsBetweenBrackets) {
    for (const char* good : {"", "\"a\":1", " \"a\" : 1 , \"b\" : [] ", "\"a\":{},\"b\":2"})
        EXPECT_TRUE(is(json_part::pairs, good)) << good;
    for (const char* bad :
         {" ", "1", "\"a\"", "\"a\":1,", ",\"a\":1", "{\"a\":1}", "\"a\":1}", "\"a\":1},{\"b\":2", "\"a\":1]"})
        EXPECT_FALSE(is(json_part::pairs, bad)) << bad;
    for (const char* good : {"", "1", "1,2", " [] , {} ", "\"a\""})
        EXPECT_TRUE(is(json_part::elements, good)) << good;
    for (const char* bad : {" ", "1,", ",1", "1 2", "\"a\":1", "1]", "1],[2", "[1"})
        EXPECT_FALSE(is(json_part::elements, bad)) << bad;
}

// Every text of up to six characters of a small alphabet, against a grammar that is written another way.
class reference {
public:
    explicit reference(std::string_view text) : rest_(text) {}
    bool value() { return element() && rest_.empty(); }
    bool elements() { return rest_.empty() || (list() && rest_.empty()); }
    bool pairs() { return rest_.empty() || (members() && rest_.empty()); }

private:
    bool take(char c) {
        if (rest_.empty() || rest_[0] != c)
            return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool string() {
        if (!take('"'))
            return false;
        while (!rest_.empty() && rest_[0] != '"')
            rest_.remove_prefix(1);
        return take('"');
    }
    bool element() {
        if (take('['))
            return take(']') || (list() && take(']'));
        if (take('{'))
            return take('}') || (members() && take('}'));
        if (!rest_.empty() && rest_[0] == '"')
            return string();
        return take('1');
    }
    bool list() {
        do {
            if (!element())
                return false;
        } while (take(','));
        return true;
    }
    bool members() {
        do {
            if (!string() || !take(':') || !element())
                return false;
        } while (take(','));
        return true;
    }

    std::string_view rest_;
};

TEST(JsonCheckTest, EveryShortTextIsJudgedAsByTheGrammar) {
    constexpr std::string_view alphabet = "[]{}\",:1";
    std::size_t good = 0;
    for (std::size_t length = 0; length <= 6; ++length) {
        std::size_t count = 1;
        for (std::size_t i = 0; i < length; ++i)
            count *= alphabet.size();
        for (std::size_t number = 0; number < count; ++number) {
            std::string text;
            for (std::size_t left = number, i = 0; i < length; ++i, left /= alphabet.size())
                text += alphabet[left % alphabet.size()];
            // Of 11 the reference has no number.
            if (text.find("11") != std::string::npos)
                continue;
            const bool value = is(json_part::value, text);
            ASSERT_EQ(value, reference(text).value()) << text;
            ASSERT_EQ(is(json_part::elements, text), reference(text).elements()) << text;
            ASSERT_EQ(is(json_part::pairs, text), reference(text).pairs()) << text;
            good += value ? 1 : 0;
        }
    }
    EXPECT_GT(good, 100U);
}

TEST(JsonCheckTest, SaysWhere) {
    EXPECT_EQ(check_json("[1,x]", json_part::value, 100).at, 3U);
    EXPECT_EQ(check_json("[1", json_part::value, 100).at, 2U);
    EXPECT_STREQ(check_json("\"a\" 1", json_part::pairs, 100).what, "a key has no colon");
    EXPECT_EQ(check_json("[1]", json_part::value, 100).what, nullptr);
}

TEST(JsonCheckTest, DepthIsLimited) {
    EXPECT_EQ(check_json("[[[]]]", json_part::value, 3).what, nullptr);
    EXPECT_NE(check_json("[[[]]]", json_part::value, 2).what, nullptr);
    EXPECT_EQ(check_json("[[]]", json_part::elements, 2).what, nullptr);
    EXPECT_NE(check_json("[[]]", json_part::elements, 1).what, nullptr);
    const std::string deep(1'000'000, '['); // no recursion
    EXPECT_NE(check_json(deep, json_part::value, 2'000'000).what, nullptr);
}

TEST(JsonCheckTest, TellsOfTheKeysOfThePairsThemselves) {
    std::vector<std::string> keys;
    const key_listener listener{
        [](void* all, std::string_view key) { static_cast<std::vector<std::string>*>(all)->emplace_back(key); }, &keys};
    EXPECT_EQ(check_json(R"("a":{"b":1},"\u0063":[{"d":1}],"":2)", json_part::pairs, 100, &listener).what, nullptr);
    EXPECT_EQ(keys, (std::vector<std::string>{"a", "\\u0063", ""}));
}

TEST(UnescapeTest, GivesTheCharacters) {
    EXPECT_EQ(unescape("plain"), "plain");
    EXPECT_EQ(unescape(R"(\"\\\/\b\f\n\r\t)"), "\"\\/\b\f\n\r\t");
    EXPECT_EQ(unescape(R"(\u0041\u00e9\u20AC)"), "A\xc3\xa9\xe2\x82\xac");
    EXPECT_EQ(unescape(R"(a\ud83d\ude00b)"), "a\xf0\x9f\x98\x80"
                                             "b");
    EXPECT_EQ(unescape(R"(\ud800x\udc00)"), R"(\ud800x\udc00)");
    EXPECT_EQ(unescape(R"(\ud800\u0041)"), "\\ud800A");
    EXPECT_EQ(unescape(R"(\u0000)"), std::string(1, '\0'));
}

} // namespace sluice::encode
