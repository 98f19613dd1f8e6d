// Each misuse, with its code and the path that its message names; and that a failed render never looks whole.
#include "expect_failure.hpp"
#include "json_reader.hpp"
#include "runner.hpp"
#include <sluice/coro/sync_wait.hpp>
#include <sluice/error.hpp>
#include <sluice/sluice.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sluice::test {

namespace {

enum class colour { red };
BOOST_DESCRIBE_ENUM(colour, red)

struct remark {
    std::string body;
    double score = 0;
};
BOOST_DESCRIBE_STRUCT(remark, (), (body, score))

} // namespace

TEST(MisuseTest, AParentIsNotWrittenWhileAChildIsOpen) {
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            auto author = json["author"].object();
            co_await author("name", "x");
            co_await json("title", "y");
        },
        errc::parent_written_while_child_open, "$.author");
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            slot title = json["title"];
            auto author = json["author"].object();
            co_await title("y");
        },
        errc::parent_written_while_child_open, "$.author");
    expect_failure(
        [](slot out) -> task<> {
            auto list = out.array();
            auto first = list.next().array();
            auto second = list.next().array();
            co_return;
        },
        errc::parent_written_while_child_open, "$[0]");
}

TEST(MisuseTest, AScopeIsNotClosedBeforeWhatIsInsideIt) {
    expect_failure(
        [](slot out) -> task<> {
            // The outer one is destroyed first.
            struct opener {
                slot place;
                operator object() { return std::move(place).object(); }
            };
            std::optional<object> outer;
            std::optional<object> inner;
            outer.emplace(opener{std::move(out)});
            inner.emplace(opener{(*outer)["inner"]});
            outer.reset();
            co_return;
        },
        errc::parent_written_while_child_open, "$.inner");
}

TEST(MisuseTest, AClosedScopeIsNotWritten) {
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            std::optional<slot> late;
            {
                auto inner = json["inner"].object();
                late.emplace(inner["late"]);
            }
            co_await (*late)(1);
        },
        errc::scope_closed, "$.late");
}

TEST(MisuseTest, AScopeDoesNotOutliveItsTemplate) {
    std::optional<object> kept;
    struct opener {
        slot& place;
        operator object() { return std::move(place).object(); }
    };
    chunk_pool pool(64);
    std::string text;
    string_sink sink(text);
    detail::document doc(sink, output_options().pool(&pool));
    const auto leak = [&](slot out) -> task<> {
        kept.emplace(opener{out});
        co_return;
    };
    const render_result result = coro::sync_wait(detail::render_into(doc, leak));
    EXPECT_EQ(result.error, errc::parent_written_while_child_open);
    kept.reset();
    EXPECT_EQ(text, "");
}

TEST(MisuseTest, ASlotIsFilledOnce) {
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            slot place = json["a"];
            co_await place(1);
            co_await place(2);
        },
        errc::slot_empty, "$");
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            auto inner = json["inner"].object();
            slot place = inner["a"];
            slot moved = std::move(place);
            co_await moved(1);
            auto again = place.array();
        },
        errc::slot_empty, "$.inner");
}

TEST(MisuseTest, AMembersSlotIsNotDropped) {
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            auto author = json["author"].object();
            {
                slot name = author["name"];
            }
            co_return;
        },
        errc::member_without_value, "$.author.name");
    // Nor is a range's task that is never awaited.
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            const std::vector<int> list = {1};
            static_cast<void>(json("list", list));
            co_return;
        },
        errc::member_without_value, "$.list");
}

TEST(MisuseTest, ATemplateWritesADocument) {
    expect_failure([](slot) -> task<> { co_return; }, errc::no_root, "$");
    expect_failure(
        [](slot out) -> task<> {
            slot dropped = std::move(out);
            co_return;
        },
        errc::no_root, "$");
}

TEST(MisuseTest, NestingHasALimit) {
    const std::function<task<>(slot, int)> nest = [&](slot out, int levels) -> task<> {
        if (levels == 0) {
            co_await out("deepest");
            co_return;
        }
        auto list = out.array();
        co_await nest(list.next(), levels - 1);
    };
    const outcome right = render_plain([&](slot out) { return nest(std::move(out), 1000); });
    EXPECT_EQ(right.result.message(), "");
    EXPECT_EQ(right.bytes, std::string(1000, '[') + "\"deepest\"" + std::string(1000, ']'));
    // In small chunks, where every closing is kept back until there is room.
    EXPECT_EQ(render_slowly([&](slot out) { return nest(std::move(out), 1000); }, {}, 3, 1, 7).bytes, right.bytes);
    const outcome wrong = render_plain([&](slot out) { return nest(std::move(out), 1001); });
    EXPECT_EQ(wrong.result.error, errc::too_deep);
    EXPECT_FALSE(is_json(wrong.bytes));
    expect_failure([&](slot out) { return nest(std::move(out), 4); }, errc::too_deep, "$[0][0][0]",
                   render_options().depth_limit(3));
    // A string in pieces is no container.
    EXPECT_EQ(to_string(
                  [](slot out) -> task<> {
                      auto list = out.array();
                      auto text = list.next().string();
                      co_await text("x");
                  },
                  render_options().depth_limit(1)),
              "[\"x\"]");
}

TEST(MisuseTest, ValuesThatHaveNoTextNameTheirPlace) {
    const std::vector<remark> remarks = {{"a", 1}, {"b", 2}, {"c", 3}, {"d", std::nan("")}};
    expect_failure(
        [&](slot out) -> task<> {
            auto json = out.object();
            co_await json("comments", remarks);
        },
        errc::not_finite, "$.comments[3].score");
    expect_failure(
        [&](slot out) -> task<> {
            auto json = out.object();
            auto list = json["comments"].array();
            for (int i = 0; i < 3; ++i) {
                auto one = list.next().object();
                co_await one("body", "text");
            }
            auto one = list.next().object();
            co_await one("body", "\xff");
        },
        errc::invalid_utf8, "$.comments[3].body", json_options().invalid_utf8(invalid_utf8_policy::error));
    expect_failure(
        [](slot out) -> task<> {
            auto list = out.array();
            co_await list.list("first");
            co_await list.list(std::nan(""));
        },
        errc::not_finite, "$[1]");
    expect_failure(
        [](slot out) -> task<> {
            auto list = out.array();
            co_await list.splice(std::string_view("{},{}"));
            co_await list.next()(1);
            co_await list.next()(std::nan(""));
        },
        errc::not_finite, "$[2]");
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            co_await json("colour", static_cast<colour>(7));
        },
        errc::enumerator_without_name, "$.colour");
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            using namespace std::chrono;
            co_await json("when", sys_time<seconds>(seconds(std::int64_t{1} << 40)));
        },
        errc::time_out_of_range, "$.when");
    expect_failure(
        [](slot out) -> task<> {
            auto json = out.object();
            co_await json["ready"].splice(std::string());
        },
        errc::invalid_splice, "$.ready");
}

TEST(MisuseTest, APutHasALimit) {
    const auto put = [](std::size_t size) {
        return [size](slot out) -> task<> {
            auto json = out.object();
            auto inner = json["inner"].object();
            co_await inner.put([&](auto& members) {
                for (std::size_t i = 0; i < size / 100; ++i)
                    members("k", std::string(93, 'v'));
            });
        };
    };
    const outcome right = render_at_once(put(4000), {}, 16, 16);
    EXPECT_EQ(right.result.message(), "");
    EXPECT_TRUE(is_json(right.bytes));
    EXPECT_EQ(render_at_once(put(5000), {}, 16, 16).result.error, errc::put_too_large);
    expect_failure(put(100'000), errc::put_too_large, "$.inner");
}

TEST(MisuseTest, AMillionDroppedWritesFailInBoundedMemory) {
    for (const std::size_t chunk : {16U, 16384U}) {
        const outcome came = render_at_once(
            [](slot out) -> task<> {
                auto list = out.array();
                for (int i = 0; i < 1'000'000; ++i)
                    static_cast<void>(list.list(i));
                co_return;
            },
            {}, chunk, 2 * chunk);
        EXPECT_EQ(came.result.error, errc::write_not_awaited);
        EXPECT_EQ(came.bytes, "");
        EXPECT_LE(came.peak, 3 * chunk + std::max<std::size_t>(chunk, 4096));
    }
}

TEST(MisuseTest, AMillionEmptyObjectsFailInBoundedMemory) {
    for (const bool slow : {false, true}) {
        const content document = [](slot out) -> task<> {
            auto list = out.array();
            for (int i = 0; i < 1'000'000; ++i)
                auto one = list.next().object();
            co_return;
        };
        const outcome came =
            slow ? render_slowly(document, {}, 4096, 8192, 100) : render_at_once(document, {}, 4096, 8192);
        EXPECT_EQ(came.result.error, errc::write_not_awaited);
        EXPECT_FALSE(is_json(came.bytes));
        EXPECT_LE(came.peak, 8192U + 4096 + 4096);
    }
    // Each awaits something: then they are as many as one likes.
    const outcome came = render_at_once(
        [](slot out) -> task<> {
            auto list = out.array();
            for (int i = 0; i < 100'000; ++i) {
                auto one = list.next().object();
                co_await one.put([](auto&) {});
            }
        },
        {}, 4096, 8192);
    EXPECT_EQ(came.result.message(), "");
    EXPECT_EQ(came.bytes.size(), 2U + 100'000 * 3 - 1);
}

TEST(MisuseTest, ALongValueIsNotCutWhenItIsDropped) {
    const std::string text(100'000, 't');
    const std::string ready = '"' + text + '"';
    expect_failure(
        [&](slot out) -> task<> {
            auto json = out.object();
            auto author = json["author"].object();
            static_cast<void>(author("bio", text));
            co_return;
        },
        errc::value_not_awaited, "$.author");
    expect_failure(
        [&](slot out) -> task<> {
            auto json = out.object();
            static_cast<void>(json["a"].splice(std::string_view(ready)));
            co_return;
        },
        errc::value_not_awaited, "$");
    expect_failure(
        [&](slot out) -> task<> {
            auto json = out.object();
            auto pieces = json["a"].string();
            static_cast<void>(pieces(text));
            co_return;
        },
        errc::value_not_awaited, "$.a");
}

TEST(MisuseTest, AnExceptionThroughAnOpenScopeFailsTheRenderCaughtOrNot) {
    const auto thrower = [](slot out) -> task<> {
        auto json = out.object();
        co_await json("a", 1);
        throw std::runtime_error("no database");
    };
    const content uncaught = [&](slot out) -> task<> {
        auto json = out.object();
        co_await thrower(json["inner"]);
    };
    expect_failure(uncaught, errc::template_threw, "$.inner");
    const outcome came = render_plain(uncaught);
    EXPECT_NE(came.result.message().find("no database"), std::string::npos) << came.result.message();
    EXPECT_THROW(to_string(uncaught), std::runtime_error);
    ASSERT_TRUE(came.result.exception);

    expect_failure(
        [&](slot out) -> task<> {
            auto json = out.object();
            try {
                co_await thrower(json["inner"]);
            } catch (const std::runtime_error&) { // too late
            }
        },
        errc::exception_in_scope, "$.inner");
    // And every further write says so.
    bool said = false;
    const outcome again = render_plain([&](slot out) -> task<> {
        auto json = out.object();
        try {
            co_await thrower(json["inner"]);
        } catch (const std::runtime_error&) {
        }
        try {
            co_await json("more", 1);
        } catch (const render_error& error) {
            said = error.code() == errc::exception_in_scope && error.path() == "$.inner";
        }
    });
    EXPECT_TRUE(said);
    EXPECT_EQ(again.bytes, "");
}

TEST(MisuseTest, AnExceptionThatPassesNoScopeMayBeCaught) {
    EXPECT_EQ(to_string([](slot out) -> task<> {
                  auto json = out.object();
                  const auto thrower = [](slot) -> task<> {
                      throw std::runtime_error("x");
                      co_return;
                  };
                  bool failed = false;
                  try {
                      co_await thrower(json["value"]);
                  } catch (const std::runtime_error&) {
                      failed = true;
                  }
                  co_await json("failed", failed);
              }),
              R"({"failed":true})");
}

TEST(MisuseTest, AnExceptionBehindTheDocumentFailsIt) {
    expect_failure(
        [](slot out) -> task<> {
            {
                auto json = out.object();
                co_await json("a", 1);
            }
            throw std::runtime_error("late");
        },
        errc::template_threw, "$");
    expect_failure(
        [](slot out) -> task<> {
            co_await out(12345);
            throw std::runtime_error("late");
        },
        errc::template_threw, "$");
    expect_failure(
        [](slot out) -> task<> {
            co_await out("text");
            throw std::runtime_error("late");
        },
        errc::template_threw, "$");
}

TEST(MisuseTest, ToStringThrowsTheErrorWithItsPath) {
    try {
        to_string([](slot out) -> task<> {
            auto json = out.object();
            auto author = json["author"].object();
            {
                slot name = author["name"];
            }
            co_return;
        });
        FAIL();
    } catch (const render_error& error) {
        EXPECT_EQ(error.code(), errc::member_without_value);
        EXPECT_EQ(error.path(), "$.author.name");
        EXPECT_NE(std::string(error.what()).find("$.author.name"), std::string::npos);
    }
}

} // namespace sluice::test
