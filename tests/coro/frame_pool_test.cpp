// Not for AddressSanitizer, under which the pool keeps nothing.
#include "allocations.hpp"
#include "support.hpp"
#include <sluice/coro/async_generator.hpp>
#include <sluice/coro/async_manual_reset_event.hpp>
#include <sluice/coro/async_semaphore.hpp>
#include <sluice/coro/frame_pool.hpp>
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/this_chain.hpp>
#include <sluice/coro/wait.hpp>
#include <sluice/coro/when_all.hpp>

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace sluice::coro {
namespace {

using sluice::test::allocations_live;
using sluice::test::allocations_made;

static_assert(SLUICE_FRAME_POOL_KEEPS, "this test is not for AddressSanitizer builds");

constexpr std::size_t most_kept = frame_pool::size_classes * frame_pool::max_kept_bytes;

TEST(FramePoolTest, ReusesABlockOfTheSameClassAndNoOther) {
    frame_pool::release();
    void* const first = frame_pool::allocate(100);
    frame_pool::deallocate(first, 100);
    EXPECT_EQ(frame_pool::kept_bytes(), 128u);
    void* const other = frame_pool::allocate(300);
    EXPECT_NE(other, first);
    void* const same = frame_pool::allocate(65);
    EXPECT_EQ(same, first);
    frame_pool::deallocate(same, 65);
    frame_pool::deallocate(other, 300);
    frame_pool::release();
    EXPECT_EQ(frame_pool::kept_bytes(), 0u);
}

TEST(FramePoolTest, KeepsNoLargeBlocks) {
    frame_pool::release();
    const std::size_t before = allocations_live();
    frame_pool::deallocate(frame_pool::allocate(5000), 5000);
    EXPECT_EQ(frame_pool::kept_bytes(), 0u);
    EXPECT_EQ(allocations_live(), before);
}

TEST(FramePoolTest, KeepsABoundedAmountOfEachClass) {
    frame_pool::release();
    for (std::size_t size = 1; size < 4096; size += 64) {
        const std::size_t kept = frame_pool::kept_bytes();
        std::vector<void*> blocks;
        for (int i = 0; i < 2000; ++i)
            blocks.push_back(frame_pool::allocate(size));
        for (void* block : blocks)
            frame_pool::deallocate(block, size);
        EXPECT_LE(frame_pool::kept_bytes() - kept, frame_pool::max_kept_bytes) << size;
        EXPECT_GT(frame_pool::kept_bytes(), kept) << size;
    }
    EXPECT_LE(frame_pool::kept_bytes(), most_kept);
    frame_pool::release();
}

task<> nothing() {
    co_return;
}

// Frames made on one thread and destroyed on another.
TEST(FramePoolTest, AMillionFramesFromOneThreadToAnotherGrowNeither) {
    constexpr int batches = 1000;
    constexpr int frames = 1000;
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::vector<task<>>> queue;
    std::size_t most_here = 0;
    std::size_t most_there = 0;
    frame_pool::release();
    const std::size_t before = allocations_live();
    {
        std::thread other([&] {
            for (int i = 0; i < batches; ++i) {
                std::unique_lock lock(mutex);
                changed.wait(lock, [&] { return !queue.empty(); });
                std::vector<task<>> batch = std::move(queue.front());
                queue.pop_front();
                changed.notify_all();
                lock.unlock();
                batch.clear();
                most_there = std::max(most_there, frame_pool::kept_bytes());
            }
        });
        for (int i = 0; i < batches; ++i) {
            std::vector<task<>> batch;
            batch.reserve(frames);
            for (int j = 0; j < frames; ++j)
                batch.push_back(nothing());
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return queue.size() < 4; });
            queue.push_back(std::move(batch));
            changed.notify_all();
            most_here = std::max(most_here, frame_pool::kept_bytes());
        }
        other.join();
    }
    queue.clear();
    queue.shrink_to_fit();
    EXPECT_LE(most_here, frame_pool::max_kept_bytes);
    EXPECT_LE(most_there, frame_pool::max_kept_bytes);
    EXPECT_GT(most_there, 0u);
    frame_pool::release();
    // A deque keeps a block or two; a hoard would be a million.
    EXPECT_LE(allocations_live(), before + 4);
}

struct frees_late {
    void* block = nullptr;
    ~frees_late() {
        if (block != nullptr)
            frame_pool::deallocate(block, 200);
    }
};
thread_local frees_late late;

TEST(FramePoolTest, AFinishedThreadHandsEverythingBack) {
    std::thread([] {}).join(); // whatever the first thread of a process allocates
    const std::size_t before = allocations_live();
    std::thread([] {
        late.block = nullptr; // constructed first, so destroyed after the pool's own clean-up
        std::vector<void*> blocks;
        for (int i = 0; i < 100; ++i)
            blocks.push_back(frame_pool::allocate(200));
        late.block = frame_pool::allocate(200);
        for (void* block : blocks)
            frame_pool::deallocate(block, 200);
        EXPECT_GT(frame_pool::kept_bytes(), 0u);
    }).join();
    EXPECT_EQ(allocations_live(), before);
}

task<int> nest(int depth) {
    if (depth == 0)
        co_return 0;
    co_await yield();
    co_return 1 + co_await nest(depth - 1);
}

async_generator<int> counting(int count) {
    for (int i = 0; i < count; ++i)
        co_yield i;
}

task<> wakes(async_manual_reset_event& event, async_semaphore& permits) {
    event.set();
    permits.release();
    co_return;
}

task<int> everything(std::stop_token stop, bool plant) {
    // Made with stop tokens and timers that have state, as in a server.
    EXPECT_TRUE(stop.stop_possible());
    int sum = co_await nest(10);
    auto from = counting(10);
    while (const int* element = co_await from.next())
        sum += *element;
    co_await wait_for(std::chrono::microseconds(1));
    async_manual_reset_event event;
    async_semaphore permits(0);
    co_await wakes(event, permits);
    co_await event.wait();
    co_await permits.acquire();
    sum += (co_await when_all(nest(3))).get<0>();
    if (plant)
        ::operator delete(::operator new(1));
    co_return sum;
}

// Runs `everything` twice on one chain and returns the allocations of the second run.
std::size_t allocations_of_a_second_run(bool plant) {
    std::stop_source source;
    struct coroutines {
        static task<std::size_t> twice(std::stop_token stop, bool planted) {
            EXPECT_EQ(co_await everything(stop, planted), 58);
            const std::size_t before = allocations_made();
            EXPECT_EQ(co_await everything(stop, planted), 58);
            co_return allocations_made() - before;
        }
    };
    return sync_wait(coroutines::twice(source.get_token(), plant), source.get_token());
}

TEST(FramePoolTest, ASecondRunOfNestedTasksAllocatesNothing) {
    EXPECT_EQ(allocations_of_a_second_run(false), 0U);
}

TEST(FramePoolTest, TheCounterFindsAPlantedAllocation) {
    EXPECT_EQ(allocations_of_a_second_run(true), 1U);
}

TEST(FramePoolTest, WhenAllAllocatesTheStateOfItsStopTokenAndNothingElse) {
    struct coroutines {
        static task<std::size_t> twice() {
            (void)co_await when_all(nest(2), nest(3), nest(4));
            const std::size_t before = allocations_made();
            (void)co_await when_all(nest(2), nest(3), nest(4));
            co_return allocations_made() - before;
        }
    };
    EXPECT_EQ(sync_wait(coroutines::twice()), 1U);
}

} // namespace
} // namespace sluice::coro
