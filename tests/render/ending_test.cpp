// A render that is destroyed, cancelled, or fails at step k, for every k: no byte follows, what was sent never looks
// whole, and every destructor runs.
#include "json_reader.hpp"
#include "runner.hpp"
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/wait.hpp>
#include <sluice/coro/when_all.hpp>
#include <sluice/output/callback_sink.hpp>
#include <sluice/render/render.hpp>
#include <sluice/sluice.hpp>
#include <sluice/testing/fail_plan.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <coroutine>
#include <map>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace sluice::test {

namespace {

// Counts how many of it live.
class counted {
public:
    explicit counted(int& alive) noexcept : alive_(alive) { ++alive_; }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    ~counted() { --alive_; }

private:
    int& alive_;
};

async_generator<std::string> words(int& alive) {
    const counted here(alive);
    for (int i = 0; i < 4; ++i) {
        if (i == 2)
            co_await coro::wait_for(std::chrono::milliseconds(20)); // longer than the linger time
        std::string word = "word" + std::to_string(i);
        co_yield word;
    }
}

// A document with a bit of everything; `step` is called between its parts and may throw.
template <class Step>
auto everything(int& alive, Step step) {
    return [&alive, step](slot out) -> task<> {
        const counted root(alive);
        const std::map<std::string, std::vector<int>> map = {{"m", {1, 2}}, {"n", {}}};
        const std::string text(300, 'l');
        const std::string ready = "[\"" + std::string(200, 'r') + "\"]";
        const auto child = [&alive, step](slot place, int n) -> task<> {
            const counted here(alive);
            auto json = place.object();
            co_await json("n", n);
            step();
            co_await json("text", "a string of some length");
            auto inner = json["inner"].array();
            co_await inner.list(n);
            step();
        };
        {
            auto json = out.object();
            co_await json("title", "everything");
            step();
            co_await json("long", text);
            step();
            co_await json("map", map);
            {
                auto children = json["children"].array();
                for (int i = 0; i < 3; ++i)
                    co_await child(children.next(), i);
            }
            step();
            co_await json["words"].each(words(alive), [](slot item, const std::string& w) { return item(w); });
            co_await coro::wait_for(std::chrono::seconds(1));
            co_await json["ready"].splice(std::string_view(ready));
            co_await json["shared"].splice(shared_bytes(ready));
            {
                auto pieces = json["pieces"].string();
                co_await pieces(text);
                step();
                co_await pieces("end\xe2\x82");
            }
            slot kept = json["kept"];
            co_await json.put([&](auto& members) { members("put", 1); });
            step();
            co_await kept(2);
        }
        step(); // the document is complete; its template is not
        co_await coro::wait_for(std::chrono::seconds(1));
        step();
    };
}

// Awaits nothing: the environment of the chain.
struct this_environment {
    using chain_awaiter = void;
    coro::environment* env = nullptr;
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> self) noexcept {
        env = &self.promise().environment();
        return false;
    }
    coro::environment& await_resume() const noexcept { return *env; }
};

struct nothing_happens {
    void operator()() const noexcept {}
};

render_options small(chunk_pool& pool) {
    return output_options().pool(&pool).high_water(24);
}

std::string expected() {
    int alive = 0;
    const outcome came = render_slowly(everything(alive, nothing_happens()), {}, 64, 64, 1000);
    EXPECT_EQ(came.result.message(), "");
    EXPECT_TRUE(is_json(came.bytes));
    EXPECT_EQ(alive, 0);
    return came.bytes;
}

// One step of a render's outside: the sink takes a few bytes, or whatever is due runs.
bool advance(held_render& run) {
    if (run.clock.run_one())
        return true;
    if (run.sink.accept(5) != 0)
        return true;
    return run.clock.advance_to_next() && run.clock.run_one();
}

void expect_cut(const std::string& sent, const std::string& whole) {
    EXPECT_TRUE(whole.starts_with(sent)) << sent;
    EXPECT_LT(sent.size(), whole.size());
    EXPECT_FALSE(is_json(sent)) << sent;
}

} // namespace

TEST(EndingTest, ARenderDestroyedAtAnyStepSendsNothingMore) {
    const std::string whole = expected();
    std::size_t cut = 0;
    for (testing::fail_plan plan; plan.again();) {
        SCOPED_TRACE(plan.describe());
        int alive = 0;
        chunk_pool pool(16);
        {
            held_render run(everything(alive, nothing_happens()), small(pool));
            run.start();
            while (!run.ended() && !plan.due())
                ASSERT_TRUE(advance(run));
            if (run.ended()) {
                EXPECT_EQ(run.sink.received(), whole);
                EXPECT_TRUE(run.sink.complete());
            } else {
                run.drop();
                EXPECT_EQ(alive, 0);
                const std::string sent = run.sink.received();
                const std::size_t writes = run.sink.writes().size();
                run.sink.accept_everything();
                run.clock.run();
                EXPECT_EQ(run.sink.received(), sent);
                EXPECT_EQ(run.sink.writes().size(), writes);
                EXPECT_FALSE(run.sink.complete());
                // Until the end has been begun the last byte is missing; then the sink alone knows.
                if (sent.size() != whole.size())
                    expect_cut(sent, whole);
                ++cut;
            }
            EXPECT_EQ(run.sink.misuse(), "");
        }
        EXPECT_EQ(alive, 0);
        EXPECT_EQ(pool.bytes_in_use(), 0U);
        if (HasFailure())
            return;
    }
    EXPECT_GT(cut, 100U);
}

TEST(EndingTest, ARenderThatIsStoppedAtAnyStepSendsNothingMore) {
    const std::string whole = expected();
    for (testing::fail_plan plan; plan.again();) {
        SCOPED_TRACE(plan.describe());
        int alive = 0;
        chunk_pool pool(16);
        {
            std::stop_source stop;
            held_render run(everything(alive, nothing_happens()), small(pool), stop.get_token());
            run.start();
            while (!run.ended() && !plan.due())
                ASSERT_TRUE(advance(run));
            if (!run.ended()) {
                const std::string sent = run.sink.received();
                stop.request_stop();
                run.clock.run(); // the sink takes nothing more
                ASSERT_TRUE(run.ended());
                const render_result result = run.result();
                if (!run.sink.complete()) {
                    EXPECT_EQ(result.error, errc::cancelled) << result.message();
                    EXPECT_EQ(run.sink.received(), sent);
                    expect_cut(sent, whole);
                }
                EXPECT_EQ(alive, 0);
            }
            EXPECT_EQ(run.sink.misuse(), "");
        }
        EXPECT_EQ(pool.bytes_in_use(), 0U);
        if (HasFailure())
            return;
    }
}

TEST(EndingTest, ATemplateThatThrowsAtAnyStepSendsNothingMore) {
    const std::string whole = expected();
    std::size_t cut = 0;
    for (testing::fail_plan plan; plan.again();) {
        SCOPED_TRACE(plan.describe());
        int alive = 0;
        chunk_pool pool(16);
        {
            std::size_t sent_before = 0;
            held_render* running = nullptr;
            const auto step = [&] {
                sent_before = running->sink.received().size();
                plan.throw_if_due(std::runtime_error("step"));
            };
            held_render run(everything(alive, step), small(pool));
            running = &run;
            run.start();
            ASSERT_TRUE(run.finish(5));
            const render_result result = run.result();
            if (!plan.reached()) {
                EXPECT_EQ(run.sink.received(), whole);
            } else {
                EXPECT_EQ(result.error, errc::template_threw) << result.message();
                EXPECT_EQ(run.sink.received().size(), sent_before);
                expect_cut(run.sink.received(), whole);
                EXPECT_TRUE(run.sink.aborted());
                EXPECT_TRUE(result.exception);
                ++cut;
            }
            EXPECT_EQ(run.sink.misuse(), "");
        }
        EXPECT_EQ(alive, 0);
        EXPECT_EQ(pool.bytes_in_use(), 0U);
        if (HasFailure())
            return;
    }
    EXPECT_EQ(cut, 13U);
}

TEST(EndingTest, ATemplateThatThrowsWritesNoWholeDocumentIntoAString) {
    const std::string whole = expected();
    for (testing::fail_plan plan; plan.again();) {
        SCOPED_TRACE(plan.describe());
        int alive = 0;
        const auto step = [&] { plan.throw_if_due(std::runtime_error("step")); };
        const outcome came = render_at_once(everything(alive, step), {}, 16, 24);
        EXPECT_EQ(alive, 0);
        if (plan.reached())
            expect_cut(came.bytes, whole);
        else
            EXPECT_EQ(came.bytes, whole);
    }
}

TEST(EndingTest, ASinkThatFailsAtAnyWriteEndsTheRender) {
    const std::string whole = expected();
    std::size_t failures = 0;
    for (std::size_t write = 0;; ++write) {
        SCOPED_TRACE(write);
        int alive = 0;
        chunk_pool pool(16);
        held_render run(everything(alive, nothing_happens()), small(pool));
        run.sink.fail_write(write, std::make_error_code(std::errc::connection_reset), 3);
        run.start();
        ASSERT_TRUE(run.finish(5));
        const render_result result = run.result();
        EXPECT_EQ(alive, 0);
        EXPECT_EQ(run.sink.misuse(), "");
        if (!result.error) {
            EXPECT_EQ(run.sink.received(), whole);
            EXPECT_EQ(result.bytes, whole.size());
            break;
        }
        ++failures;
        EXPECT_EQ(result.error, std::errc::connection_reset) << result.message();
        EXPECT_NE(result.message().find("the sink failed"), std::string::npos) << result.message();
        EXPECT_EQ(run.sink.writes().size(), write + 1);
        ASSERT_LT(write, 1000U);
    }
    EXPECT_GT(failures, 20U);
}

TEST(EndingTest, AFailedSinkThrowsInTheTemplateAndSticks) {
    int thrown = 0;
    std::error_code seen;
    callback_sink sink([](std::string_view) { return std::make_error_code(std::errc::broken_pipe); });
    chunk_pool pool(16);
    const render_result result = coro::sync_wait(render(
        sink,
        [&](slot out) -> task<> {
            auto list = out.array();
            for (int i = 0; i < 10; ++i) {
                try {
                    co_await list.list("some text that fills a chunk");
                } catch (const render_error& error) {
                    ++thrown;
                    seen = error.code();
                }
            }
        },
        output_options().pool(&pool).high_water(16)));
    EXPECT_EQ(thrown, 10);
    EXPECT_EQ(seen, std::errc::broken_pipe);
    EXPECT_EQ(result.error, std::errc::broken_pipe);
    EXPECT_EQ(result.bytes, 0U);
}

TEST(EndingTest, AFailedSiblingEndsWhoeverWaitsForTheSink) {
    // The first child waits for a sink that takes nothing; the second fails.
    int alive = 0;
    const std::string text(10'000, 't');
    const auto waits = [&](slot place) -> task<> {
        const counted here(alive);
        co_await place(text);
    };
    const auto fails = [&](slot place) -> task<> {
        const counted here(alive);
        slot dropped = std::move(place);
        co_return;
    };
    held_render run(
        [&](slot out) -> task<> {
            auto json = out.object();
            slot a = json["a"];
            slot b = json["b"];
            co_await coro::when_all(waits(std::move(a)), fails(std::move(b)));
        },
        output_options().high_water(64));
    run.start();
    run.clock.run();
    ASSERT_TRUE(run.ended());
    EXPECT_EQ(run.result().error, errc::member_without_value);
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(run.sink.received(), "");
}

TEST(EndingTest, APartThatIsDroppedUnfinishedPoisonsItsDocument) {
    int alive = 0;
    const auto part = [&](slot place) -> task<> {
        const counted here(alive);
        auto json = place.object();
        co_await json("begun", 1);
        co_await coro::wait_for(std::chrono::hours(1));
    };
    std::error_code seen;
    held_render run(
        [&](slot out) -> task<> {
            auto json = out.object();
            coro::environment& env = co_await this_environment();
            {
                coro::chain<void> dropped(part(json["part"]), coro::environment(env.context, nullptr, env.observer));
                dropped.start({[](void*) noexcept { return std::coroutine_handle<>(); }, nullptr});
                EXPECT_EQ(alive, 1);
            }
            EXPECT_EQ(alive, 0);
            // Its frame has gone with an open object in it, which must not be closed.
            try {
                co_await json("more", 1);
            } catch (const render_error& error) {
                seen = error.code();
            }
        },
        {});
    run.start();
    ASSERT_TRUE(run.finish());
    EXPECT_EQ(seen, errc::abandoned);
    EXPECT_EQ(run.result().error, errc::abandoned);
    EXPECT_EQ(run.sink.received(), "");
}

TEST(EndingTest, AWholeDocumentThatASinkHoldsIsCancelled) {
    std::stop_source stop;
    held_render run([](slot out) -> task<> { co_await out("small"); }, {}, stop.get_token());
    run.start();
    run.clock.run();
    ASSERT_TRUE(run.sink.writing());
    EXPECT_FALSE(run.ended());
    stop.request_stop();
    run.clock.run();
    ASSERT_TRUE(run.ended());
    EXPECT_EQ(run.result().error, errc::cancelled);
    EXPECT_EQ(run.sink.received(), "");
}

TEST(EndingTest, ARenderAskedToStopBeforeItStartsSendsNothing) {
    std::stop_source stop;
    stop.request_stop();
    held_render run([](slot out) -> task<> { co_await out("small"); }, {}, stop.get_token());
    run.start();
    ASSERT_TRUE(run.finish());
    EXPECT_EQ(run.result().error, errc::cancelled);
    EXPECT_TRUE(run.sink.writes().empty());
}

} // namespace sluice::test
