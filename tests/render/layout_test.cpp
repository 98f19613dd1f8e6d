// Layouts: coroutines whose co_yield runs the template.
#include "expect_failure.hpp"
#include "json_reader.hpp"
#include "runner.hpp"
#include <sluice/output/callback_sink.hpp>
#include <sluice/sluice.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::test {

namespace {

layout application(slot out) {
    auto json = out.object();
    {
        auto meta = json["meta"].object();
        co_await meta("version", 1);
    }
    co_yield json["data"];
}

layout twice_in_array(slot out) {
    auto list = out.array();
    co_yield list.next();
    co_await list.list("between");
    co_yield list.next();
}

layout never(slot out) {
    auto json = out.object();
    co_await json("maintenance", true);
}

layout bare(slot out) {
    co_yield std::move(out);
}

task<> page(slot out) {
    auto list = out.array();
    co_await list.list(1);
    co_await list.list(std::string(100, 'x'));
}

const std::string page_bytes = "[1,\"" + std::string(100, 'x') + "\"]";

} // namespace

TEST(LayoutTest, TheTemplateRunsAtTheYieldInAnyBuffer) {
    const std::string expected = R"({"meta":{"version":1},"data":)" + page_bytes + "}";
    const content what = in_layout(application, page);
    EXPECT_EQ(to_string(what), expected);
    for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
        SCOPED_TRACE("chunk " + std::to_string(chunk));
        EXPECT_EQ(render_at_once(what, {}, chunk, 2 * chunk).bytes, expected);
        const outcome slow = render_slowly(what, {}, chunk, 2 * chunk, 1 + chunk % 7);
        EXPECT_EQ(slow.bytes, expected) << slow.result.message();
        EXPECT_FALSE(slow.stalled);
    }
}

TEST(LayoutTest, YieldingTwiceRunsItAgain) {
    int runs = 0;
    const auto counted = [&](slot out) -> task<> {
        auto json = out.object();
        co_await json("run", ++runs);
    };
    EXPECT_EQ(to_string(in_layout(twice_in_array, counted)), R"([{"run":1},"between",{"run":2}])");
}

TEST(LayoutTest, NeverYieldingRendersWithoutTheTemplate) {
    int runs = 0;
    const auto counted = [&](slot out) { return out(++runs); };
    EXPECT_EQ(to_string(in_layout(never, counted)), R"({"maintenance":true})");
    EXPECT_EQ(runs, 0);
}

TEST(LayoutTest, YieldingTheSlotItselfIsTheWholeDocument) {
    EXPECT_EQ(to_string(in_layout(bare, page)), page_bytes);
    EXPECT_EQ(to_string(in_layout(bare, [](slot out) { return out(nullptr); })), "null");
}

TEST(LayoutTest, LayoutsNest) {
    EXPECT_EQ(to_string(in_layout(twice_in_array, in_layout(application, in_layout(bare, page)))),
              R"([{"meta":{"version":1},"data":)" + page_bytes + R"(},"between",{"meta":{"version":1},"data":)" +
                  page_bytes + "}]");
}

TEST(LayoutTest, ALayoutTakesArguments) {
    const auto titled = [](slot out, const std::string& title, int depth) -> layout {
        auto json = out.object();
        co_await json(title, depth);
        co_yield json["data"];
    };
    std::string title = "first";
    const auto laid = in_layout(titled, [](slot out) { return out(1); }, title, 2);
    auto rendered = laid;
    EXPECT_EQ(to_string(rendered), R"({"first":2,"data":1})");
    title = "second"; // an lvalue is referred to
    EXPECT_EQ(to_string(rendered), R"({"second":2,"data":1})");
}

TEST(LayoutTest, AMovedArgumentIsTheValueItself) {
    const auto titled = [](slot out, const std::unique_ptr<int>& number) -> layout {
        auto json = out.object();
        co_yield json["data"];
        co_await json("number", *number);
    };
    auto number = std::make_unique<int>(7);
    const auto one = [](slot out) { return out(1); };
    auto laid = in_layout(titled, one, moved(number));
    EXPECT_EQ(number, nullptr);
    EXPECT_EQ(to_string(laid), R"({"data":1,"number":7})");
}

TEST(LayoutTest, TheLayoutRunsFirstAndTheTemplateAtItsYield) {
    std::vector<std::string> order;
    const auto wrap = [&](slot out) -> layout {
        order.push_back("layout begins");
        auto json = out.object();
        co_yield json["data"];
        order.push_back("layout goes on");
    };
    const auto inside = [&](slot out) -> task<> {
        order.push_back("template begins");
        co_await out(1);
        order.push_back("template ends");
    };
    auto laid = in_layout(wrap, inside);
    EXPECT_TRUE(order.empty()); // lazy
    to_string(laid);
    EXPECT_EQ(order, (std::vector<std::string>{"layout begins", "template begins", "template ends", "layout goes on"}));
}

TEST(LayoutTest, ALayoutWrapsAPartOfADocumentToo) {
    const auto whole = [](slot out) -> task<> {
        auto json = out.object();
        auto laid = in_layout(application, page);
        co_await laid(json["a"]);
        co_await laid(json["b"]);
    };
    const std::string part = R"({"meta":{"version":1},"data":)" + page_bytes + "}";
    EXPECT_EQ(to_string(whole), "{\"a\":" + part + ",\"b\":" + part + "}");
}

TEST(LayoutTest, WhatTheTemplateThrowsReachesTheCallerOnce) {
    int caught = 0;
    const auto throwing = [](slot out) -> task<> {
        auto json = out.object();
        throw std::runtime_error("of the template");
        co_return;
    };
    const auto wrap = [&](slot out) -> layout {
        auto json = out.object();
        try {
            co_yield json["data"];
        } catch (const std::runtime_error&) {
            ++caught;
            throw;
        }
    };
    const outcome came = render_plain(in_layout(wrap, throwing));
    EXPECT_EQ(came.result.error, errc::template_threw);
    EXPECT_NE(came.result.message().find("of the template"), std::string::npos) << came.result.message();
    EXPECT_EQ(caught, 1);
    EXPECT_FALSE(is_json(came.bytes));
}

TEST(LayoutTest, WhatTheLayoutThrowsReachesTheCaller) {
    const auto wrap = [](slot out) -> layout {
        auto json = out.object();
        co_yield json["data"];
        throw std::runtime_error("of the layout");
    };
    const outcome came = render_plain(in_layout(wrap, page));
    EXPECT_EQ(came.result.error, errc::template_threw);
    EXPECT_NE(came.result.message().find("of the layout"), std::string::npos) << came.result.message();
    const auto at_once = [](slot) -> layout {
        throw std::runtime_error("before anything");
        co_return;
    };
    EXPECT_THROW(to_string(in_layout(at_once, page)), std::runtime_error);
}

TEST(LayoutTest, MisuseInsideNamesThePlace) {
    const auto fills_nothing = [](slot out) -> task<> {
        auto json = out.object();
        static_cast<void>(json["empty"]);
        co_return;
    };
    expect_failure(in_layout(application, fills_nothing), errc::member_without_value, "$.data.empty");
    const auto unfilled = [](slot) -> task<> { co_return; }; // the template leaves the layout's member without value
    expect_failure(in_layout(application, unfilled), errc::member_without_value, "$.data");
    const auto parent = [](slot out) -> layout {
        auto json = out.object();
        auto inner = json["inner"].object();
        co_yield json["data"];
    };
    expect_failure(in_layout(parent, page), errc::parent_written_while_child_open, "$.inner");
}

// A layout that is dropped in the middle drops its template, innermost first, and not one byte follows.
TEST(LayoutTest, DroppedAtAnyStepEverythingIsDestroyedAndNothingFollows) {
    for (int steps = 0;; ++steps) {
        SCOPED_TRACE("step " + std::to_string(steps));
        auto alive = std::make_shared<int>();
        bool whole = false;
        {
            chunk_pool pool(8);
            held_render run(
                [alive](slot out) -> task<> {
                    const auto kept = alive;
                    const auto wrap = [kept](slot place) -> layout {
                        const auto of_layout = kept;
                        auto json = place.object();
                        co_yield json["first"];
                        co_yield json["second"];
                    };
                    const auto inside = [kept](slot place) -> task<> {
                        const auto of_template = kept;
                        auto list = place.array();
                        for (int i = 0; i < 4; ++i)
                            co_await list.list("eight by");
                    };
                    auto laid = in_layout(wrap, inside);
                    co_await laid(std::move(out));
                },
                buffered_by({}, pool, 8));
            run.start();
            for (int i = 0; i < steps && !run.ended(); ++i) {
                run.sink.accept(3);
                run.clock.run_until_idle();
            }
            whole = run.ended();
            run.drop();
            const std::string received = run.sink.received();
            run.clock.run_until_idle();
            EXPECT_EQ(run.sink.received(), received);
            EXPECT_EQ(is_json(received), whole) << received;
        }
        EXPECT_EQ(alive.use_count(), 1);
        if (whole)
            break;
        ASSERT_LT(steps, 1000);
    }
}

TEST(LayoutTest, AGigabyteInALayoutStreamsInFlatMemory) {
    const shared_bytes row(std::string("\"") + std::string(64 * 1024 - 2, 'r') + '"');
    chunk_pool pool;
    std::uint64_t received = 0;
    callback_sink sink([&](std::string_view bytes) {
        received += bytes.size();
        return std::error_code();
    });
    const auto rows = [&](slot out) -> task<> {
        auto list = out.array();
        for (int i = 0; i < 16 * 1024; ++i)
            co_await list.next().splice(row);
    };
    const render_options options = render_options(output_options().pool(&pool)).check_splices(false);
    const render_result result = coro::sync_wait(render(sink, in_layout(application, rows), options));
    ASSERT_FALSE(result.error) << result.message();
    EXPECT_GT(received, 1024ULL * 1024 * 1024);
    EXPECT_LE(pool.peak_bytes_in_use(), 3 * pool.chunk_size());
}

} // namespace sluice::test
