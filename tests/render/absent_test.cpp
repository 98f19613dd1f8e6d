// Values that are not there: null, or left out with their key.
#include "runner.hpp"
#include <sluice/sluice.hpp>

#include <boost/describe/class.hpp>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace sluice::test {

namespace {

struct place {
    std::string name;
    std::optional<std::string> note;
};
BOOST_DESCRIBE_STRUCT(place, (), (name, note))

// Which of three members are there: a bit each.
struct three {
    std::optional<int> a, b, c;
};
BOOST_DESCRIBE_STRUCT(three, (), (a, b, c))

three with(unsigned present) {
    const auto maybe = [&](unsigned bit) { return (present & bit) != 0 ? std::optional<int>(1) : std::nullopt; };
    three made;
    made.a = maybe(1);
    made.b = maybe(2);
    made.c = maybe(4);
    return made;
}

std::string expected(unsigned present, bool omitted) {
    std::string text = "{";
    for (unsigned i = 0; i < 3; ++i) {
        const bool there = (present & 1U << i) != 0;
        if (!there && omitted)
            continue;
        if (text.size() > 1)
            text += ',';
        text += std::string("\"") + static_cast<char>('a' + i) + "\":" + (there ? "1" : "null");
    }
    return text + '}';
}

} // namespace

TEST(AbsentTest, AbsentMembersAreNullOrLeftOutAndAbsentElementsAreNull) {
    // SPL 12: bfj#25
    const auto document = [](slot out) -> task<> {
        auto json = out.object();
        co_await json("count", 1);
        co_await json("email", std::optional<std::string>());
        co_await json("pointer", static_cast<const char*>(nullptr));
        co_await json("number", std::optional<int>());
        co_await json.put([](auto& members) {
            members("put", std::optional<int>());
            members("text", static_cast<const char*>(nullptr));
        });
        co_await json("point", std::optional<place>());
        const std::vector<std::optional<int>> list = {1, std::nullopt};
        co_await json("list", list);
        const place with;
        co_await json("with", with);
        co_await json("wait", 600);
    };
    EXPECT_EQ(to_string(document, json_options().absent(absent_policy::omit)),
              R"({"count":1,"list":[1,null],"with":{"name":""},"wait":600})");
    EXPECT_EQ(to_string(document),
              R"({"count":1,"email":null,"pointer":null,"number":null,"put":null,"text":null,"point":null,)"
              R"("list":[1,null],"with":{"name":"","note":null},"wait":600})");
}

// SPL 12, wherever the absent member stands and however it is written.
TEST(AbsentTest, NoCommaIsLeftWhereverAnAbsentMemberStands) {
    for (unsigned present = 0; present < 8; ++present) {
        for (const bool omitted : {false, true}) {
            const json_options how = json_options().absent(omitted ? absent_policy::omit : absent_policy::null);
            const three value = with(present);
            SCOPED_TRACE(expected(present, omitted));
            const std::string each = to_string(
                [&](slot out) -> task<> {
                    auto json = out.object();
                    co_await json("a", value.a);
                    co_await json("b", value.b);
                    co_await json("c", value.c);
                },
                how);
            EXPECT_EQ(each, expected(present, omitted));
            const std::string slots = to_string(
                [&](slot out) -> task<> {
                    auto json = out.object();
                    co_await json["a"](value.a);
                    co_await json["b"](value.b);
                    co_await json["c"](value.c);
                },
                how);
            EXPECT_EQ(slots, expected(present, omitted));
            const std::string put = to_string(
                [&](slot out) -> task<> {
                    auto json = out.object();
                    co_await json.put([&](auto& members) {
                        members("a", value.a);
                        members("b", value.b);
                        members("c", value.c);
                    });
                },
                how);
            EXPECT_EQ(put, expected(present, omitted));
            const std::string merged = to_string(
                [&](slot out) -> task<> {
                    auto json = out.object();
                    co_await json.merge(value);
                },
                how);
            EXPECT_EQ(merged, expected(present, omitted));
            EXPECT_EQ(to_string([&](slot out) { return out(value); }, how), expected(present, omitted));
        }
    }
}

TEST(AbsentTest, AnAbsentElementIsNullInEveryForm) {
    const std::optional<int> none;
    const std::string text = to_string(
        [&](slot out) -> task<> {
            auto list = out.array();
            co_await list.list(none);
            co_await list.next()(none);
            co_await list.put([&](auto& elements) { elements(none); });
            const std::vector<std::optional<int>> more = {none, 1};
            co_await list.merge(more);
            co_await list.next().each(more, [](slot element, const std::optional<int>& n) { return element(n); });
        },
        json_options().absent(absent_policy::omit));
    EXPECT_EQ(text, "[null,null,null,null,1,[null,1]]");
}

} // namespace sluice::test
