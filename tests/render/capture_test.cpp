// Ready bytes: captured, spliced, checked.
#include "expect_failure.hpp"
#include "json_reader.hpp"
#include "runner.hpp"
#include <sluice/coro/wait.hpp>
#include <sluice/sluice.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace sluice::test {

namespace {

const render_options checked = render_options().check_splices(true);

task<> two_pairs(object& json) {
    co_await json("first_name", 1);
    auto list = json["list"].array();
    co_await list.list(2);
}

} // namespace

TEST(CaptureTest, APartsBytesAreWhatWouldHaveBeenWritten) {
    const auto whole = [](slot out) -> task<> {
        auto json = out.object(keys::camel());
        const std::string pairs = co_await json.capture(two_pairs);
        EXPECT_EQ(pairs, R"("firstName":1,"list":[2])");
        const std::string none = co_await json.capture([](object&) -> task<> { co_return; });
        EXPECT_EQ(none, "");
        auto place = json["value"];
        const std::string value = co_await place.capture([](slot part) { return part(std::string(100, 'v')); });
        EXPECT_EQ(value, '"' + std::string(100, 'v') + '"');
        auto list = json["elements"].array();
        const std::string elements = co_await list.capture([](array& part) -> task<> {
            co_await part.list(1);
            static_cast<void>(part.next()); // skipped
            auto inner = part.next().object();
            co_await inner("in_ner", 2);
        });
        EXPECT_EQ(elements, R"(1,{"inNer":2})");
        co_await list.splice(elements);
        co_await list.splice(std::string());
        co_await list.splice(elements);
    };
    for (const std::size_t chunk : {1U, 5U, 64U, 16384U}) {
        const outcome came = render_slowly(whole, checked, chunk, chunk, 3);
        EXPECT_NE(came.result.error, errc::invalid_splice);
        EXPECT_EQ(came.result.error, errc::member_without_value) << came.result.message(); // `place` was not filled
    }
}

TEST(CaptureTest, AnEmptyFragmentWritesNothingAndNoComma) {
    const auto whole = [](slot out) -> task<> {
        auto json = out.object();
        const auto nothing = [](object&) -> task<> { co_return; };
        co_await json.splice(co_await json.capture(nothing));
        co_await json("a", 1);
        co_await json.splice(co_await json.capture(nothing));
        co_await json("b", 2);
        co_await json.splice(co_await json.capture(nothing));
    };
    EXPECT_EQ(to_string(whole), R"({"a":1,"b":2})");
}

TEST(CaptureTest, CaptureIsCompactWhereTheDocumentIsPretty) {
    const auto whole = [](slot out) -> task<> {
        auto json = out.object();
        const std::string pairs = co_await json.capture(two_pairs);
        EXPECT_EQ(pairs, R"("first_name":1,"list":[2])");
        co_await json("b", 1);
    };
    EXPECT_EQ(to_string(whole, json_options().indent(2)), "{\n  \"b\": 1\n}");
}

TEST(CaptureTest, ItMayWaitAndTheDocumentsBytesGoOutMeanwhile) {
    held_render run(
        [](slot out) -> task<> {
            auto json = out.object();
            co_await json("a", 1);
            co_await json.flush();
            co_await json("b", 2);
            const std::string pairs = co_await json.capture([](object& part) -> task<> {
                co_await part("c", 3);
                co_await coro::wait_for(std::chrono::hours(1));
                co_await part("d", 4);
            });
            co_await json.splice(pairs);
        },
        {});
    run.start();
    run.sink.accept();
    run.clock.run_until_idle();
    run.clock.advance(std::chrono::milliseconds(6)); // the linger time
    run.sink.accept();
    run.clock.run_until_idle();
    EXPECT_EQ(run.sink.received(), R"({"a":1,"b":2)");
    ASSERT_TRUE(run.finish());
    EXPECT_EQ(run.sink.received(), R"({"a":1,"b":2,"c":3,"d":4})");
}

TEST(CaptureTest, WritingTheDocumentFromInsideIsAnError) {
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            const auto wrong = [&](object&) -> task<> { co_await json("a", 1); };
            const std::string pairs = co_await json.capture(wrong);
        },
        errc::parent_written_while_child_open, "$");
}

TEST(CaptureTest, WritingTheSlotThatIsCapturedForFromInsideIsAnError) {
    expect_failure(
        [](slot out) -> task<> {
            const auto wrong = [&](slot part) -> task<> {
                co_await out(1);
                co_await part(2);
            };
            const std::string value = co_await out.capture(wrong);
        },
        errc::parent_written_while_child_open, "$");
}

TEST(CaptureTest, MisuseInsideIsMisuseOfTheDocumentAtItsPlace) {
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            auto inner = json["inner"].object();
            const std::string pairs = co_await inner.capture([](object& part) -> task<> {
                auto list = part["list"].array();
                static_cast<void>(list.next().object()["empty"]);
                co_return;
            });
        },
        errc::member_without_value, "$.inner.list[0].empty");
}

TEST(CaptureTest, WhatIsThrownInsideMayBeCaughtAndTheDocumentGoesOn) {
    const auto whole = [](slot out) -> task<> {
        auto json = out.object();
        std::string caught;
        try {
            const std::string pairs = co_await json.capture([](object& part) -> task<> {
                auto list = part["list"].array();
                co_await list.list(1);
                throw std::runtime_error("of the part");
            });
        } catch (const std::runtime_error& thrown) {
            caught = thrown.what();
        }
        co_await json("caught", caught);
    };
    EXPECT_EQ(to_string(whole), R"({"caught":"of the part"})");
}

TEST(CaptureTest, DroppedInTheMiddleEverythingIsDestroyedAndNothingFollows) {
    auto alive = std::make_shared<int>();
    {
        held_render run(
            [alive](slot out) -> task<> {
                auto json = out.object();
                const auto wait = [kept = alive](object& part) -> task<> {
                    const auto own = kept;
                    auto list = part["list"].array();
                    co_await coro::wait_for(std::chrono::hours(1));
                };
                const std::string pairs = co_await json.capture(wait);
            },
            {});
        run.start();
        run.clock.run_until_idle();
        run.drop();
        run.clock.run_until_idle();
        EXPECT_FALSE(is_json(run.sink.received()));
    }
    EXPECT_EQ(alive.use_count(), 1);
}

TEST(CaptureTest, AGuardRefusesToBeCaptured) {
    const auto for_one_viewer = [](slot out) -> task<> {
        out.not_cacheable("it shows the viewer's name");
        auto json = out.object();
        json.not_cacheable("");
        co_await json("fragment", json.in_fragment());
    };
    EXPECT_EQ(to_string(for_one_viewer), R"({"fragment":false})");
    expect_failure(
        [&](slot out) -> task<> {
            auto json = out.object();
            auto place = json["place"];
            const std::string value = co_await place.capture(for_one_viewer);
        },
        errc::not_cacheable, "$.place");
    EXPECT_EQ(to_string([](slot out) -> task<> {
                  auto list = out.array();
                  const std::string inside =
                      co_await list.capture([](array& part) { return part.list(part.in_fragment()); });
                  co_await list.splice(inside);
                  co_await list.list(list.in_fragment());
              }),
              "[true,false]");
}

TEST(CaptureTest, TheDepthLimitIsTheSameInsideAsOutside) {
    const auto deep = [](slot place) -> task<> {
        auto list = place.array();
        auto inner = list.next().array();
        co_return;
    };
    const auto of_pairs = [&](slot out) -> task<> {
        auto json = out.object();
        const auto pairs = [&](object& part) { return deep(part["a"]); };
        const std::string bytes = co_await json.capture(pairs);
        co_await json.splice(bytes);
    };
    const auto of_elements = [&](slot out) -> task<> {
        auto list = out.array();
        const auto elements = [&](array& part) -> task<> {
            const auto again = [&](array& inside) { return deep(inside.next()); };
            const std::string bytes = co_await part.capture(again);
            co_await part.splice(bytes);
        };
        const std::string bytes = co_await list.capture(elements);
        co_await list.splice(bytes);
    };
    const auto of_value = [&](slot out) -> task<> {
        auto json = out.object();
        slot place = json["a"];
        const std::string bytes = co_await place.capture(deep);
        co_await place.splice(bytes);
    };
    const auto limited = [](std::uint32_t containers) { return render_options(checked).depth_limit(containers); };
    EXPECT_EQ(to_string(of_pairs, limited(3)), R"({"a":[[]]})");
    EXPECT_EQ(to_string(of_elements, limited(3)), "[[[]]]");
    EXPECT_EQ(to_string(of_value, limited(3)), R"({"a":[[]]})");
    for (const content& what : {content(of_pairs), content(of_elements), content(of_value)}) {
        const outcome came = render_at_once(what, limited(2), 64, 128);
        EXPECT_EQ(came.result.error, errc::too_deep);
        EXPECT_NE(came.result.message().find("the limit is 2 containers"), std::string::npos) << came.result.message();
    }
}

TEST(SpliceTest, CheckedBytesThatAreNotWhatTheyAreSplicedAsFail) {
    const auto pairs = [](std::string bytes) {
        return [bytes](slot out) -> task<> {
            auto json = out.object();
            co_await json("a", 1);
            co_await json.splice(bytes);
        };
    };
    const auto elements = [](std::string bytes) {
        return [bytes](slot out) -> task<> {
            auto list = out.array();
            co_await list.splice(shared_bytes(bytes));
        };
    };
    const auto value = [](std::string bytes) {
        return [bytes](slot out) -> task<> {
            auto json = out.object();
            co_await json["v"].splice(std::string(bytes));
        };
    };
    for (const char* bad : {"1", "\"b\"", "\"b\":", "\"b\":1,", ",\"b\":1", "\"b\":1}", "\"b\":1},{\"c\":2", " "})
        expect_failure(pairs(bad), errc::invalid_splice, "$", checked);
    for (const char* bad :
         {"1,", ",1", "1 2", "[", "]", "\"a\":1", "tru", "01", "1.", "\"\\x\"", "\"\xff\"", "{\"a\":1"})
        expect_failure(elements(bad), errc::invalid_splice, "$[0]", checked);
    for (const char* bad : {"1,2", "", "{\"a\"}", "nul", "[1}"})
        expect_failure(value(bad), errc::invalid_splice, "$.v", checked);
    EXPECT_EQ(to_string(pairs(""), checked), R"({"a":1})");
    EXPECT_EQ(to_string(pairs(R"("b" : [ { } , 1e5 ] , "c":null)"), checked),
              R"({"a":1,"b" : [ { } , 1e5 ] , "c":null})");
    EXPECT_EQ(to_string(elements(R"(1,"\ud800\n",-0.5E+1)"), checked), R"([1,"\ud800\n",-0.5E+1])");
    EXPECT_EQ(to_string(value("{}"), checked), R"({"v":{}})");
    // Unchecked, they go out as they are.
    EXPECT_EQ(to_string(elements("1 2"), render_options().check_splices(false)), "[1 2]");
}

TEST(SpliceTest, TheDepthLimitHoldsForSplicedBytesToo) {
    const auto deep = [](slot out) -> task<> {
        auto list = out.array();
        co_await list.splice("[[]]");
    };
    EXPECT_EQ(to_string(deep, render_options(checked).depth_limit(3)), "[[[]]]");
    expect_failure(deep, errc::invalid_splice, "$[0]", render_options(checked).depth_limit(2));
}

TEST(StrictTest, AKeyThatIsThereAlreadyFails) {
    const render_options strict = render_options().strict(true);
    const auto twice = [](auto write) {
        return [write](slot out) -> task<> {
            auto json = out.object();
            co_await json("a_a", 1);
            {
                auto inner = json["b"].object(); // of another object
                co_await inner("a_a", 1);
                co_await inner("b", 1);
            }
            co_await write(json);
        };
    };
    const auto as_literal = twice([](object& json) { return json("a_a", 2); });
    const auto as_run_time = twice([](object& json) { return json[std::string("a_a")](2); });
    const auto as_splice = twice([](object& json) { return json.splice(R"("c":1,"\u0061\u005Fa":2)"); });
    const auto as_merge = twice([](object& json) -> task<> {
        const std::map<std::string, int> map = {{"a_a", 2}};
        co_await json.merge(map);
    });
    for (const content& what : {content(as_literal), content(as_run_time), content(as_splice), content(as_merge)}) {
        SCOPED_TRACE(to_string(what));
        expect_failure(what, errc::duplicate_key, "$.a_a", strict);
    }
    // Of two names that one format spells alike too.
    const auto formatted = [](slot out) -> task<> {
        auto json = out.object(keys::camel());
        co_await json("first_name", 1);
        co_await json("firstName", 2);
    };
    expect_failure(formatted, errc::duplicate_key, "$.firstName", strict);
    const auto in_put = [](slot out) -> task<> {
        auto json = out.object();
        co_await json.put([](auto& members) {
            members("a", 1);
            members("a", 2);
        });
    };
    expect_failure(in_put, errc::duplicate_key, "$.a", strict);
}

TEST(StrictTest, WhatIsRightIsTheSame) {
    const auto whole = [](slot out) -> task<> {
        auto list = out.array();
        for (int i = 0; i < 3; ++i) {
            auto json = list.next().object();
            co_await json("a", i);
            co_await json.splice(R"("b":{"a":1,"a":2})"); // what is in a spliced value is not looked at
            auto text = json["c"].string();
            co_await text("t");
        }
    };
    EXPECT_EQ(to_string(whole, render_options().strict(true)), to_string(whole));
}

} // namespace sluice::test
