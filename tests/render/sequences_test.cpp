// Commas: every sequence of up to four things that an array or an object may hold, against bytes put together by hand.
#include "runner.hpp"
#include <sluice/sluice.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::test {

namespace {

enum class thing { scalar, object, array, spliced, empty_splice, captured, empty_capture };
constexpr std::size_t things = 7;

using sequence = std::vector<thing>;

// Calls `use(sequence, number)` with each of up to `longest` things, the empty one first.
template <class Use>
void for_each_sequence(std::size_t longest, Use use) {
    std::size_t count = 1;
    for (std::size_t size = 0; size <= longest; ++size, count *= things) {
        for (std::size_t number = 0; number < count; ++number) {
            sequence one;
            for (std::size_t rest = number; one.size() < size; rest /= things)
                one.push_back(static_cast<thing>(rest % things));
            use(one, number);
            if (::testing::Test::HasFailure())
                return;
        }
    }
}

std::string describe(const sequence& all) {
    constexpr const char* names[things] = {"scalar",       "object",   "array",        "spliced",
                                           "empty splice", "captured", "empty capture"};
    std::string text;
    for (const thing one : all)
        text += std::string(text.empty() ? "" : ", ") + names[static_cast<std::size_t>(one)];
    return text;
}

// ---- what is written -------------------------------------------------------------------------------------------

template <class Container>
task<> splice(Container& into, std::string bytes, std::size_t form) {
    switch (form % 3) {
    case 0:
        co_await into.splice(std::string_view(bytes));
        break;
    case 1:
        co_await into.splice(shared_bytes(bytes));
        break;
    default:
        co_await into.splice(std::move(bytes));
        break;
    }
}

task<> nothing(array&) {
    co_return;
}
task<> nothing_filled(array& part) {
    static_cast<void>(part.next());
    co_await part.splice(std::string());
}
task<> nothing(object&) {
    co_return;
}
task<> nothing_spliced(object& part) {
    co_await part.splice(std::string());
    co_await part.put([](auto&) {});
}

// `form` chooses among ways to write the same thing.
task<> write(array& list, thing what, int n, std::size_t form) {
    const std::string digit = std::to_string(n);
    switch (what) {
    case thing::scalar:
        co_await list.list(n);
        break;
    case thing::object: {
        auto json = list.next().object();
        co_await json("n", n);
        break;
    }
    case thing::array: {
        auto inner = list.next().array();
        co_await inner.list(n);
        break;
    }
    case thing::spliced:
        if (form % 4 == 3)
            co_await list.next().splice("{\"s\":" + digit + "}");
        else
            co_await splice(list, "{\"s\":" + digit + "}", form);
        break;
    case thing::empty_splice:
        co_await splice(list, "", form);
        break;
    case thing::captured: {
        const auto two = [n](array& part) -> task<> {
            co_await part.list(n);
            auto json = part.next().object();
            auto empty = json["c"].array();
        };
        std::string bytes = co_await list.capture(two);
        EXPECT_EQ(bytes, digit + ",{\"c\":[]}");
        co_await splice(list, std::move(bytes), form);
        break;
    }
    case thing::empty_capture: {
        task<> (*const write_none)(array&) = form % 2 == 0 ? static_cast<task<> (*)(array&)>(nothing) : nothing_filled;
        std::string bytes = co_await list.capture(write_none);
        EXPECT_EQ(bytes, "");
        co_await splice(list, std::move(bytes), form);
        break;
    }
    }
}

task<> write(object& json, thing what, int n, std::size_t form) {
    const std::string digit = std::to_string(n);
    const std::string name = "k" + digit;
    switch (what) {
    case thing::scalar:
        co_await json(name, n);
        break;
    case thing::object: {
        auto inner = json[name].object();
        co_await inner("n", n);
        break;
    }
    case thing::array: {
        auto list = json[name].array();
        co_await list.list(n);
        break;
    }
    case thing::spliced:
        if (form % 4 == 3)
            co_await json[name].splice("{\"s\":" + digit + "}");
        else
            co_await splice(json, '"' + name + "\":{\"s\":" + digit + "}", form);
        break;
    case thing::empty_splice:
        co_await splice(json, "", form);
        break;
    case thing::captured: {
        const auto two = [n, name](object& part) -> task<> {
            co_await part(name, n);
            auto inner = part["c"].object();
            auto empty = inner["d"].array();
        };
        std::string bytes = co_await json.capture(two);
        EXPECT_EQ(bytes, '"' + name + "\":" + digit + ",\"c\":{\"d\":[]}");
        co_await splice(json, std::move(bytes), form);
        break;
    }
    case thing::empty_capture: {
        task<> (*const write_none)(object&) =
            form % 2 == 0 ? static_cast<task<> (*)(object&)>(nothing) : nothing_spliced;
        std::string bytes = co_await json.capture(write_none);
        EXPECT_EQ(bytes, "");
        co_await splice(json, std::move(bytes), form);
        break;
    }
    }
}

template <class Container>
task<> write_all(Container& into, const sequence& all, std::size_t number) {
    int n = 0;
    for (const thing what : all) {
        co_await write(into, what, n, number + static_cast<std::size_t>(n));
        ++n;
    }
}

// ---- what is expected ------------------------------------------------------------------------------------------

// The bytes between the brackets, with what stands before and behind them.
std::string expected(const sequence& all, bool members, const std::string& before = "",
                     const std::string& behind = "") {
    std::vector<std::string> pieces;
    if (!before.empty())
        pieces.push_back(before);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string n = std::to_string(i);
        const std::string key = members ? "\"k" + n + "\":" : "";
        switch (all[i]) {
        case thing::scalar:
            pieces.push_back(key + n);
            break;
        case thing::object:
            pieces.push_back(key + "{\"n\":" + n + "}");
            break;
        case thing::array:
            pieces.push_back(key + "[" + n + "]");
            break;
        case thing::spliced:
            pieces.push_back(key + "{\"s\":" + n + "}");
            break;
        case thing::captured:
            pieces.push_back(key + n);
            pieces.push_back(members ? R"("c":{"d":[]})" : R"({"c":[]})");
            break;
        case thing::empty_splice:
        case thing::empty_capture:
            break;
        }
    }
    if (!behind.empty())
        pieces.push_back(behind);
    std::string bytes;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        bytes += (i == 0 ? "" : ",") + pieces[i];
    return bytes;
}

struct placed {
    const char* where;
    content write;
    std::string bytes;
};

template <class Container>
Container open(slot out) {
    if constexpr (std::same_as<Container, array>)
        return out.array();
    else
        return out.object();
}

// The sequence as a document; one level down, in the middle of an array and of an object; and captured as a whole,
// between live neighbours.
template <class Container>
std::vector<placed> places(const sequence& all, std::size_t number) {
    constexpr bool members = std::same_as<Container, object>;
    const std::string begin = members ? "{" : "[";
    const std::string end = members ? "}" : "]";
    const std::string own = begin + expected(all, members) + end;
    const auto root = [&all, number](slot out) -> task<> {
        Container into = open<Container>(std::move(out));
        co_await write_all(into, all, number);
    };
    const auto in_array = [root](slot out) -> task<> {
        auto list = out.array();
        co_await list.list("a");
        co_await root(list.next());
        co_await list.list("z");
    };
    const auto in_object = [root](slot out) -> task<> {
        auto json = out.object();
        co_await json("a", true);
        co_await root(json["in"]);
        co_await json("z", false);
    };
    const auto as_a_whole = [&all, number](slot out) -> task<> {
        Container into = open<Container>(std::move(out));
        co_await write(into, thing::scalar, 8, 0);
        const auto whole = [&all, number](Container& part) { return write_all(part, all, number); };
        const std::string bytes = co_await into.capture(whole);
        EXPECT_EQ(bytes, expected(all, members));
        co_await into.splice(bytes);
        co_await write(into, thing::scalar, 9, 0);
    };
    const std::string before = members ? "\"k8\":8" : "8";
    const std::string behind = members ? "\"k9\":9" : "9";
    return {{"as the document", root, own},
            {"in an array", in_array, "[\"a\"," + own + ",\"z\"]"},
            {"in an object", in_object, "{\"a\":true,\"in\":" + own + ",\"z\":false}"},
            {"captured as a whole", as_a_whole, begin + expected(all, members, before, behind) + end}};
}

const render_options checked = render_options().check_splices(true);

template <class Container>
void expect_commas() {
    std::size_t sequences = 0;
    for_each_sequence(4, [&](const sequence& all, std::size_t number) {
        SCOPED_TRACE(describe(all));
        ++sequences;
        for (const placed& one : places<Container>(all, number)) {
            SCOPED_TRACE(one.where);
            for (const std::size_t chunk : {1U, 7U, 64U, 16384U}) {
                const outcome came = render_at_once(one.write, checked, chunk, 2 * chunk);
                ASSERT_EQ(came.result.message(), "") << "chunk " << chunk;
                ASSERT_EQ(came.bytes, one.bytes) << "chunk " << chunk;
            }
        }
    });
    EXPECT_EQ(sequences, 1U + 7 + 49 + 343 + 2401);
}

template <class Container>
void expect_commas_while_waiting() {
    for_each_sequence(2, [&](const sequence& all, std::size_t number) {
        SCOPED_TRACE(describe(all));
        for (const placed& one : places<Container>(all, number)) {
            SCOPED_TRACE(one.where);
            for (const std::size_t chunk : {1U, 7U, 64U}) {
                const outcome came = render_slowly(one.write, checked, chunk, 1, 3);
                ASSERT_EQ(came.result.message(), "") << "chunk " << chunk;
                ASSERT_EQ(came.bytes, one.bytes) << "chunk " << chunk;
                ASSERT_EQ(came.misuse, "");
            }
        }
    });
}

} // namespace

TEST(SequencesTest, NeighboursInAnArrayHaveOneCommaBetweenThem) {
    expect_commas<array>();
}

TEST(SequencesTest, NeighboursInAnObjectHaveOneCommaBetweenThem) {
    expect_commas<object>();
}

TEST(SequencesTest, TheCommasAreTheSameWhereEachWriteWaits) {
    expect_commas_while_waiting<array>();
    expect_commas_while_waiting<object>();
}

} // namespace sluice::test
