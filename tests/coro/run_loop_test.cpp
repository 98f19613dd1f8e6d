#include "support.hpp"
#include <sluice/coro/run_loop.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace sluice::coro {
namespace {

struct item final : scheduled {
    explicit item(std::function<void()> body) : action(std::move(body)) {}
    void run() noexcept override { action(); }
    std::function<void()> action;
};

TEST(RunLoopTest, RunsPostsInTheirOrder) {
    run_loop loop;
    std::vector<int> order;
    item first([&] { order.push_back(1); });
    item second([&] { order.push_back(2); });
    item last([&] { loop.finish(); });
    for (item* each : {&first, &second, &last})
        loop.post(*each);
    EXPECT_TRUE(first.pending());
    EXPECT_TRUE(order.empty());
    loop.run();
    EXPECT_EQ(order, (std::vector{1, 2}));
    EXPECT_FALSE(first.pending());
}

TEST(RunLoopTest, RunsTimersByTimeThenByOrder) {
    run_loop loop;
    std::vector<int> order;
    const auto past = loop.now() - std::chrono::seconds(1);
    std::vector<std::unique_ptr<item>> items;
    // 7 is coprime to 40: every offset once, in a scattered order; pairs share a time.
    for (int i = 0; i < 40; ++i) {
        const int which = i * 7 % 40;
        items.push_back(std::make_unique<item>([&order, which] { order.push_back(which); }));
        loop.wait_until(*items.back(), past + std::chrono::microseconds(which / 2));
    }
    test::drain(loop);
    ASSERT_EQ(order.size(), 40u);
    for (std::size_t i = 1; i < order.size(); ++i)
        EXPECT_LE(order[i - 1] / 2, order[i] / 2);
    // Of a pair, the one that was set first comes first: 7 i mod 40 reaches the one of 0 and 1 in that order.
    EXPECT_EQ(order.front(), 0);
}

TEST(RunLoopTest, WithdrawnItemsNeverRun) {
    run_loop loop;
    int runs = 0;
    const auto past = loop.now() - std::chrono::seconds(1);
    std::vector<std::unique_ptr<item>> items;
    for (int i = 0; i < 30; ++i) {
        items.push_back(std::make_unique<item>([&runs] { ++runs; }));
        if (i % 2 == 0)
            loop.wait_until(*items.back(), past + std::chrono::microseconds(i * 11 % 30));
        else
            loop.post(*items.back());
    }
    for (std::size_t i = 0; i < 30; i += 3)
        items[i]->withdraw();
    items[1].reset(); // destroying withdraws
    test::drain(loop);
    EXPECT_EQ(runs, 19);
}

TEST(RunLoopTest, AnItemMayBePostedAgainOrDestroyedFromInsideItsRun) {
    run_loop loop;
    int runs = 0;
    auto again = std::make_unique<item>([] {});
    again->action = [&] {
        if (++runs < 3)
            loop.post(*again);
        else
            again.reset();
    };
    loop.post(*again);
    test::drain(loop);
    EXPECT_EQ(runs, 3);
    EXPECT_EQ(again, nullptr);
}

TEST(RunLoopTest, ForgetsWhatIsPendingWhenItIsDestroyed) {
    auto loop = std::make_unique<run_loop>();
    item posted([] {});
    item timed([] {});
    loop->post(posted);
    loop->wait_until(timed, loop->now() + std::chrono::hours(1));
    loop.reset();
    EXPECT_FALSE(posted.pending());
    EXPECT_FALSE(timed.pending());
}

TEST(RunLoopTest, FinishBeforeRunMakesItReturn) {
    run_loop loop;
    loop.finish();
    loop.run();
    int runs = 0;
    item counted([&] { ++runs; });
    loop.post(counted);
    test::drain(loop);
    EXPECT_EQ(runs, 1);
}

TEST(RunLoopTest, TakesPostsFromManyThreads) {
    run_loop loop;
    constexpr int each = 2000;
    int runs = 0;
    std::vector<std::unique_ptr<item>> items;
    for (int i = 0; i < 2 * each; ++i)
        items.push_back(std::make_unique<item>([&] {
            if (++runs == 2 * each)
                loop.finish();
        }));
    const auto post = [&](int from) {
        for (int i = from; i < from + each; ++i)
            loop.post(*items[static_cast<std::size_t>(i)]);
    };
    std::thread first(post, 0);
    std::thread second(post, each);
    loop.run();
    first.join();
    second.join();
    EXPECT_EQ(runs, 2 * each);
}

} // namespace
} // namespace sluice::coro
