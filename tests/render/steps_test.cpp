// One template that uses everything, ended at every step that it has: by itself, by its sink, by a stop, by its
// destruction. Whatever ends it: every object in it is destroyed, the outcome is reported once, no byte follows, and
// what was sent never looks like a whole document.
#include "json_reader.hpp"
#include "runner.hpp"
#include <sluice/coro/wait.hpp>
#include <sluice/coro/when_all.hpp>
#include <sluice/render/view.hpp>
#include <sluice/sluice.hpp>
#include <sluice/testing/fail_plan.hpp>

#include <boost/describe/class.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sluice::test {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Knows each of it that lives, so that none is destroyed twice, or never.
class ledger {
public:
    void born(const void* object) { right_ = alive_.insert(object).second && right_; }
    void gone(const void* object) { right_ = alive_.erase(object) == 1 && right_; }
    std::size_t alive() const noexcept { return alive_.size(); }
    bool right() const noexcept { return right_; }

private:
    std::set<const void*> alive_;
    bool right_ = true;
};

class counted {
public:
    explicit counted(ledger& book) : book_(&book) { book_->born(this); }
    counted(const counted& other) : book_(other.book_) { book_->born(this); }
    counted& operator=(const counted&) = delete;
    ~counted() { book_->gone(this); }

private:
    ledger* book_;
};

struct own_error {
    int checkpoint;
};

// What a run of the template is given, and what it leaves.
struct surroundings {
    ledger book;
    std::function<void()> at_checkpoint = [] {};
    bool catches = false; // the template catches what it has thrown, and goes on
    bool through = false; // it has come to its end

    void step() const { at_checkpoint(); }
};

struct person {
    int user_id = 7;
    std::string full_name = "Ada \"L\"";
};
BOOST_DESCRIBE_STRUCT(person, (), (user_id, full_name))

struct link_maker {
    std::string base;
};

async_generator<std::string> words(surroundings& all) {
    const counted here(all.book);
    for (int i = 0; i < 3; ++i) {
        const counted in_loop(all.book);
        co_await coro::wait_for(milliseconds(20)); // longer than the linger time
        all.step();
        std::string word = "a_word" + std::to_string(i);
        co_yield word;
    }
}

task<> plain_wait(surroundings& all, int n) {
    const counted here(all.book);
    co_await coro::wait_for(milliseconds(n));
    all.step();
}

task<> write_link(slot out, int n) {
    auto& all = out.context<surroundings>();
    const counted here(all.book);
    auto json = out.object();
    all.step();
    co_await json("link_to", json.context<const link_maker>().base + std::to_string(n));
}

layout frame_of(slot out, surroundings& all) {
    const counted here(all.book);
    auto json = out.object(keys::camel());
    co_await json("api_version", 1);
    all.step();
    co_yield json["main_data"];
    all.step();
    co_await coro::wait_for(seconds(1));
    co_await json("after_it", true);
    all.step();
}

task<> write_row(slot out, int n) {
    auto& all = out.context<surroundings>();
    const counted here(all.book);
    auto row = out.object(keys::upper());
    co_await row("row_number", n);
    all.step();
    auto cells = row["cells"].array(keys::as_written());
    auto cell = cells.next().object();
    co_await cell("cell_text", "a cell of some length");
    all.step();
}

task<> write_pieces(slot out, surroundings& all) {
    auto text = out.string();
    const counted inside(all.book);
    const std::string piece(30, 'p');
    for (int i = 0; i < 3; ++i) {
        co_await text(piece);
        all.step();
    }
    co_await text("half a character: \xe2\x82");
}

task<> write_main(slot out, const view<int>& links) {
    auto& all = out.context<surroundings>();
    const counted here(all.book);
    const std::map<std::string, std::vector<int>> map = {{"of_map", {1, 2}}, {"empty_one", {}}};
    const person someone;
    const std::vector<int> numbers = {1, 2};
    const std::string long_text(300, 'l');
    const shared_bytes ready("{\"ready_bytes\":\"" + std::string(200, 'r') + "\"}");
    auto json = out.object();
    all.step();
    co_await json.merge(map);
    co_await json.merge(someone);
    all.step();
    co_await json["rows"].each(numbers, write_row);
    const auto write_word = [kept = counted(all.book)](slot place, const std::string& word) { return place(word); };
    co_await json["some_words"].each(words(all), write_word);
    all.step();
    co_await json.put([&](auto& members) {
        const counted in_put(all.book);
        members("put_one", 1);
        all.step();
        members("put_two", numbers);
    });
    co_await json("long_text", long_text);
    co_await json("long_temporary", long_text + "!");
    all.step();
    co_await json["links"].each(numbers, links);
    co_await json.flush();
    all.step();
    co_await write_pieces(json["pieces"], all);
    const auto part = [&all, kept = counted(all.book)](object& captured) -> task<> {
        const counted in_capture(all.book);
        co_await captured("captured_one", 1);
        all.step();
        auto list = captured["captured_list"].array();
        co_await coro::wait_for(seconds(1));
        co_await list.list("behind the wait");
        all.step();
    };
    const std::string pairs = co_await json.capture(part);
    all.step();
    co_await json.splice(pairs);
    slot late = json["late_one"];
    co_await coro::when_all(plain_wait(all, 20), plain_wait(all, 10));
    co_await json["spliced"].splice(ready);
    all.step();
    co_await late(2);
}

// The document, and a while in which it is whole and its template is not.
auto everything(surroundings& all) {
    return [&all, own = counted(all.book)](slot out) -> task<> {
        const counted here(all.book);
        const link_maker maker{"https://example.com/"};
        const view<int> links("links/link", write_link);
        const auto inside = [&links](slot place) { return write_main(std::move(place), links); };
        auto laid = in_layout(frame_of, inside, all);
        auto whole = with_context(laid, all, maker);
        try {
            co_await whole(std::move(out));
        } catch (const own_error&) {
            if (!all.catches)
                throw;
        }
        all.step();
        co_await coro::wait_for(seconds(1));
        all.step();
        all.through = true;
    };
}

render_options small(chunk_pool& pool) {
    return output_options().pool(&pool).high_water(40);
}

// One step of a render's outside: what is due runs, or the sink takes a few bytes, or the time moves on.
bool advance(held_render& run) {
    if (run.clock.run_one())
        return true;
    if (run.sink.accept(9) != 0)
        return true;
    return run.clock.advance_to_next() && run.clock.run_one();
}

// A run in its surroundings, looked at from outside while it lasts and when it is over.
class run_of_everything {
public:
    explicit run_of_everything(std::stop_token stop = {})
        : pool_(32), render_(std::in_place, everything(all), small(pool_), std::move(stop)) {}

    held_render& render() { return *render_; }

    // Runs it to its end, or until `due()` says to stop, asked before each step.
    template <class Due>
    void run(Due due) {
        render_->start();
        while (!render_->ended() && !due())
            ASSERT_TRUE(advance(*render_));
    }
    void run() {
        run([] { return false; });
    }

    // It is over: nothing of it is left, and nothing comes any more. Leaves what the sink received.
    void expect_over(std::string& received) {
        received = render_->sink.received();
        const std::size_t writes = render_->sink.writes().size();
        const int ends = render_->ends();
        render_->sink.accept_everything();
        render_->clock.run();
        EXPECT_EQ(render_->sink.received(), received);
        EXPECT_EQ(render_->sink.writes().size(), writes);
        EXPECT_EQ(render_->ends(), ends);
        EXPECT_EQ(render_->sink.misuse(), "");
        render_.reset();
        EXPECT_EQ(all.book.alive(), 0U);
        EXPECT_TRUE(all.book.right());
        EXPECT_EQ(pool_.bytes_in_use(), 0U);
    }

    surroundings all;

private:
    chunk_pool pool_;
    std::optional<held_render> render_;
};

const std::string& whole() {
    static const std::string text = [] {
        surroundings all;
        const outcome came = render_slowly(everything(all), {}, 16384, 32768, 16384);
        EXPECT_EQ(came.result.message(), "");
        EXPECT_TRUE(is_json(came.bytes));
        return came.bytes;
    }();
    return text;
}

void expect_cut(const std::string& received) {
    EXPECT_TRUE(whole().starts_with(received)) << received;
    EXPECT_LT(received.size(), whole().size());
    EXPECT_FALSE(is_json(received)) << received;
}

void expect_whole(run_of_everything& one) {
    EXPECT_EQ(one.render().ends(), 1);
    const render_result result = one.render().result();
    EXPECT_EQ(result.message(), "");
    EXPECT_EQ(result.bytes, whole().size());
    EXPECT_TRUE(one.render().sink.complete());
    std::string received;
    one.expect_over(received);
    EXPECT_EQ(received, whole());
}

} // namespace

TEST(StepsTest, UndisturbedItIsWhole) {
    EXPECT_EQ(whole(),
              R"({"apiVersion":1,"mainData":{"emptyOne":[],"ofMap":[1,2],"userId":7,"fullName":"Ada \"L\"","rows":[)"
              R"({"ROW_NUMBER":1,"CELLS":[{"cell_text":"a cell of some length"}]},)"
              R"({"ROW_NUMBER":2,"CELLS":[{"cell_text":"a cell of some length"}]}],)"
              R"("someWords":["a_word0","a_word1","a_word2"],"putOne":1,"putTwo":[1,2],"longText":")" +
                  std::string(300, 'l') + R"(","longTemporary":")" + std::string(300, 'l') +
                  R"(!","links":[{"linkTo":"https://example.com/1"},{"linkTo":"https://example.com/2"}],"pieces":")" +
                  std::string(90, 'p') + "half a character: \xef\xbf\xbd" +
                  R"(","capturedOne":1,"capturedList":["behind the wait"],"spliced":{"ready_bytes":")" +
                  std::string(200, 'r') + R"("},"lateOne":2},"afterIt":true})");
    run_of_everything one;
    one.run();
    expect_whole(one);
}

TEST(StepsTest, ATemplateThatThrowsAtAnyCheckpointEndsCleanly) {
    std::size_t cut = 0;
    for (testing::fail_plan plan; plan.again();) {
        SCOPED_TRACE(plan.describe());
        run_of_everything one;
        std::size_t received_before = 0;
        one.all.at_checkpoint = [&] {
            received_before = one.render().sink.received().size();
            plan.throw_if_due(own_error{static_cast<int>(plan.step())});
        };
        one.run();
        if (HasFatalFailure())
            return;
        if (plan.reached()) {
            ++cut;
            EXPECT_EQ(one.render().ends(), 1);
            const render_result result = one.render().result();
            EXPECT_EQ(result.error, errc::template_threw) << result.message();
            try {
                throw_if_failed(result);
                ADD_FAILURE() << "nothing was thrown";
            } catch (const own_error& thrown) {
                EXPECT_EQ(thrown.checkpoint, static_cast<int>(plan.step()));
            }
            EXPECT_TRUE(one.render().sink.aborted());
            EXPECT_FALSE(one.render().sink.complete());
            EXPECT_FALSE(one.all.through);
            std::string received;
            one.expect_over(received);
            EXPECT_EQ(received.size(), received_before);
            EXPECT_EQ(result.bytes, received.size());
            expect_cut(received);
        } else {
            expect_whole(one);
        }
        if (HasFailure())
            return;
    }
    EXPECT_EQ(cut, 29U);
}

TEST(StepsTest, ATemplateThatGoesOnAfterWhatPassedItsScopesSendsNothingMore) {
    std::size_t cut = 0;
    for (testing::fail_plan plan; plan.again();) {
        SCOPED_TRACE(plan.describe());
        run_of_everything one;
        one.all.catches = true;
        std::size_t received_before = 0;
        one.all.at_checkpoint = [&] {
            if (!plan.reached())
                received_before = one.render().sink.received().size();
            plan.throw_if_due(own_error{static_cast<int>(plan.step())});
        };
        one.run();
        if (HasFatalFailure())
            return;
        if (plan.reached() && one.all.through) {
            ++cut;
            EXPECT_EQ(one.render().ends(), 1);
            const render_result result = one.render().result();
            EXPECT_EQ(result.error, errc::exception_in_scope) << result.message();
            EXPECT_FALSE(result.exception);
            EXPECT_TRUE(one.render().sink.aborted());
            std::string received;
            one.expect_over(received);
            EXPECT_EQ(received.size(), received_before);
            expect_cut(received);
        } else if (!plan.reached()) {
            expect_whole(one);
        }
        if (HasFailure())
            return;
    }
    EXPECT_EQ(cut, 27U); // all but the two behind the document
}

TEST(StepsTest, ASinkThatFailsAtAnyWriteEndsTheRenderCleanly) {
    std::size_t cut = 0;
    for (std::size_t write = 0;; ++write) {
        SCOPED_TRACE("write " + std::to_string(write));
        run_of_everything one;
        one.render().sink.fail_write(write, std::make_error_code(std::errc::connection_reset), 3);
        one.run();
        if (HasFatalFailure())
            return;
        if (one.render().sink.complete()) {
            expect_whole(one);
            break;
        }
        ++cut;
        EXPECT_EQ(one.render().ends(), 1);
        const render_result result = one.render().result();
        EXPECT_EQ(result.error, std::errc::connection_reset) << result.message();
        EXPECT_EQ(one.render().sink.writes().size(), write + 1);
        std::string received;
        one.expect_over(received);
        // The last write may have been taken before it failed; all others leave something out.
        if (one.all.through)
            EXPECT_TRUE(whole().starts_with(received)) << received;
        else
            expect_cut(received);
        if (HasFailure())
            return;
        ASSERT_LT(write, 1000U);
    }
    EXPECT_GT(cut, 30U);
}

TEST(StepsTest, AStopAfterAnyStepEndsTheRenderCleanly) {
    std::size_t cut = 0;
    for (testing::fail_plan plan; plan.again();) {
        SCOPED_TRACE(plan.describe());
        std::stop_source stop;
        run_of_everything one(stop.get_token());
        one.run([&] { return plan.due(); });
        if (HasFatalFailure())
            return;
        if (one.render().ended()) {
            expect_whole(one);
            break;
        }
        const std::string before = one.render().sink.received();
        const std::size_t writes = one.render().sink.writes().size();
        stop.request_stop();
        one.render().clock.run(); // the sink takes nothing more
        ASSERT_TRUE(one.render().ended());
        EXPECT_EQ(one.render().ends(), 1);
        EXPECT_EQ(one.render().sink.writes().size(), writes);
        const render_result result = one.render().result();
        std::string received;
        if (one.render().sink.complete()) { // its last write had been taken
            EXPECT_EQ(result.message(), "");
            one.expect_over(received);
            EXPECT_EQ(received, whole());
        } else {
            ++cut;
            EXPECT_EQ(result.error, errc::cancelled) << result.message();
            one.expect_over(received);
            expect_cut(received);
        }
        EXPECT_EQ(received, before);
        if (HasFailure())
            return;
    }
    EXPECT_GT(cut, 200U);
}

TEST(StepsTest, ATaskDestroyedAfterAnyStepLeavesNothingBehind) {
    std::size_t cut = 0;
    for (testing::fail_plan plan; plan.again();) {
        SCOPED_TRACE(plan.describe());
        run_of_everything one;
        one.run([&] { return plan.due(); });
        if (HasFatalFailure())
            return;
        if (one.render().ended()) {
            expect_whole(one);
            break;
        }
        ++cut;
        one.render().drop();
        EXPECT_EQ(one.all.book.alive(), 0U);
        EXPECT_FALSE(one.render().sink.writing());
        EXPECT_FALSE(one.render().sink.complete());
        EXPECT_EQ(one.render().ends(), 0);
        const bool all_taken = one.all.through && one.render().sink.received() == whole();
        std::string received;
        one.expect_over(received);
        // Where the template had ended and the sink had taken all, the render lacked only the report.
        if (!all_taken)
            expect_cut(received);
        if (HasFailure())
            return;
    }
    EXPECT_GT(cut, 200U);
}

} // namespace sluice::test
