#include <sluice/output/batch.hpp>
#include <sluice/output/shared_bytes.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace sluice::test {

namespace {

chunk* filled(chunk_pool& pool, std::string_view text) {
    chunk* one = pool.acquire();
    std::memcpy(one->begin(), text.data(), text.size());
    one->size = text.size();
    return one;
}

std::string text_of(const batch& all) {
    std::string text;
    for (const std::string_view run : all)
        text += run;
    return text;
}

} // namespace

TEST(BatchTest, HoldsItsPiecesInOrderAndGivesThemBack) {
    chunk_pool pool(16);
    {
        batch all;
        EXPECT_TRUE(all.empty());
        all.add(filled(pool, "one "));
        all.add(shared_bytes("two "));
        all.add(shared_bytes());
        all.add(filled(pool, "three"));
        batch more;
        more.add(shared_bytes(" four"));
        all.add(std::move(more));
        all.add(batch());
        EXPECT_EQ(text_of(all), "one two three four");
        EXPECT_EQ(all.size(), 18U);
        EXPECT_EQ(all.pieces(), 4U);
        EXPECT_EQ(pool.bytes_in_use(), 32U);
        batch moved = std::move(all);
        EXPECT_EQ(text_of(moved), "one two three four");
        EXPECT_EQ(text_of(all), ""); // NOLINT(bugprone-use-after-move): it is empty
        all = std::move(moved);
        EXPECT_EQ(all.size(), 18U);
    }
    EXPECT_EQ(pool.bytes_in_use(), 0U);
    EXPECT_EQ(pool.peak_bytes_in_use(), 32U);
}

TEST(BatchTest, SharedBytesAreLetGoWithIt) {
    auto owner = std::make_shared<const std::string>("text");
    {
        batch all;
        all.add(shared_bytes(owner, *owner));
        EXPECT_EQ(owner.use_count(), 2);
    }
    EXPECT_EQ(owner.use_count(), 1);
}

TEST(BatchTest, FramingTakesTheRoomOfFullChunks) {
    chunk_pool pool(4);
    const std::string before(chunk::room_before, 'b');
    const std::string after(chunk::room_after, 'a');
    batch all;
    all.add(filled(pool, "full"));
    all.frame(before, after);
    EXPECT_EQ(all.pieces(), 1U);
    EXPECT_EQ(text_of(all), before + "full" + after);
    EXPECT_EQ(all.size(), 4 + before.size() + after.size());
    all.clear();
    // The chunk is as it was when it is used again.
    all.add(filled(pool, "1234"));
    EXPECT_EQ(text_of(all), "1234");
    all.frame("<", ">");
    EXPECT_EQ(text_of(all), "<1234>");
    all.frame("[", "");
    EXPECT_EQ(text_of(all), "[<1234>");
}

TEST(BatchTest, FramingOfSharedBytesAddsPieces) {
    batch all;
    all.add(shared_bytes("shared"));
    all.frame("5\r\n", "\r\n");
    EXPECT_EQ(all.pieces(), 3U);
    EXPECT_EQ(text_of(all), "5\r\nshared\r\n");
}

TEST(ChunkPoolTest, KeepsABoundedNumberOfFreeChunksAndCounts) {
    chunk_pool pool(8, 1);
    chunk* a = pool.acquire();
    chunk* b = pool.acquire();
    EXPECT_EQ(pool.bytes_in_use(), 16U);
    pool.release(a);
    pool.release(b); // one more than is kept
    EXPECT_EQ(pool.bytes_in_use(), 0U);
    chunk* c = pool.acquire();
    EXPECT_EQ(c, a);
    EXPECT_EQ(c->capacity, 8U);
    EXPECT_EQ(c->size, 0U);
    EXPECT_EQ(pool.peak_bytes_in_use(), 16U);
    pool.reset_peak();
    EXPECT_EQ(pool.peak_bytes_in_use(), 8U);
    pool.release(c);
    EXPECT_THROW(chunk_pool(0), std::invalid_argument);
}

} // namespace sluice::test
