// Coroutines side by side in one document: never interleaved bytes.
#include "json_reader.hpp"
#include "runner.hpp"
#include <sluice/coro/this_chain.hpp>
#include <sluice/coro/when_all.hpp>
#include <sluice/sluice.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace sluice::test {

TEST(ConcurrentTest, TwoCoroutinesDoNotWriteOneContainer) {
    const std::string text(100'000, 't');
    const auto object_with = [&](slot place) -> task<> {
        auto json = place.object();
        co_await json("text", text);
    };
    const auto value = [&](slot place) -> task<> { co_await place(text); };
    // Nothing is awaited: the bytes would go into the middle of the other's string.
    const auto dropped = [&](slot place) -> task<> {
        for (int i = 0; i < 3; ++i)
            co_await coro::yield();
        static_cast<void>(place(1));
    };
    const auto patient = [&](slot place) -> task<> {
        co_await coro::yield();
        co_await place(1);
    };
    for (int kind = 0; kind < 4; ++kind) {
        SCOPED_TRACE(kind);
        const content both = [&](slot out) -> task<> {
            auto json = out.object();
            slot a = json["a"];
            slot b = json["b"];
            if (kind == 0)
                co_await coro::when_all(object_with(std::move(a)), object_with(std::move(b)));
            else if (kind == 1)
                co_await coro::when_all(value(std::move(a)), value(std::move(b)));
            else if (kind == 2)
                co_await coro::when_all(value(std::move(a)), dropped(std::move(b)));
            else
                co_await coro::when_all(object_with(std::move(a)), patient(std::move(b)));
        };
        for (const std::size_t chunk : {16U, 4096U}) {
            const outcome came = render_slowly(both, {}, chunk, 2 * chunk, chunk / 3);
            EXPECT_FALSE(came.stalled);
            EXPECT_EQ(came.result.error, errc::parent_written_while_child_open) << came.result.message();
            EXPECT_EQ(came.bytes.find(",\"b\":"), std::string::npos);
            EXPECT_FALSE(is_json(came.bytes));
        }
        // A sink that takes nothing keeps no failed render.
        chunk_pool pool(64);
        held_render run(both, output_options().pool(&pool).high_water(128));
        run.start();
        run.clock.run();
        EXPECT_TRUE(run.ended());
    }
}

} // namespace sluice::test
