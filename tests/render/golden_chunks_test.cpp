// The same bytes whatever the chunks, the marks and the sink.
#include "golden_cases.hpp"
#include "stream_runner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace sluice::test {

namespace {

void expect_right(const outcome& came, const golden_case& one, std::size_t chunk, std::size_t mark) {
    ASSERT_FALSE(came.stalled);
    ASSERT_EQ(came.result.message(), "");
    ASSERT_TRUE(came.bytes == one.bytes) << came.bytes.size() << " bytes of " << one.bytes.size();
    EXPECT_EQ(came.result.bytes, one.bytes.size());
    EXPECT_EQ(came.misuse, "");
    EXPECT_FALSE(came.aborted);
    const std::size_t counted_mark = std::max<std::size_t>(mark, 1);
    if (one.bytes.size() > counted_mark + chunk) {
        EXPECT_GE(came.result.suspensions, 1U);
    }
    EXPECT_LE(came.peak, counted_mark + chunk + 4096);
}

std::set<std::size_t> marks_of(std::size_t chunk) {
    return {1, chunk - 1, chunk, chunk + 1, 2 * chunk};
}

} // namespace

class GoldenChunksTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(GoldenChunksTest, SmallDocumentsAreTheSameForEveryMarkAndEverySink) {
    const std::size_t chunk = GetParam();
    for (const golden_case& one : golden_cases()) {
        if (one.bytes.size() >= 4096)
            continue;
        for (const std::size_t mark : marks_of(chunk)) {
            SCOPED_TRACE(one.file + ", mark " + std::to_string(mark));
            expect_right(render_at_once(one.write, one.options, chunk, mark), one, chunk, mark);
            for (std::size_t step = 1; step <= 7; ++step) {
                SCOPED_TRACE(std::to_string(step) + " bytes at a time");
                expect_right(render_slowly(one.write, one.options, chunk, mark, step), one, chunk, mark);
            }
            SCOPED_TRACE("over the simulated stream");
            expect_right(render_over_stream(one.write, one.options, chunk, mark, {1, 2, 3, 4, 5, 6, 7}), one, chunk,
                         mark);
            if (HasFailure())
                return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(ChunksOfOneToSixtyFour, GoldenChunksTest, ::testing::Range<std::size_t>(1, 65));

TEST(LargeGoldenChunksTest, LargeDocumentsAreTheSameAtAFewSizes) {
    struct sizes {
        std::size_t chunk;
        std::size_t mark;
        std::size_t step;
    };
    for (const golden_case& one : golden_cases()) {
        if (one.bytes.size() < 4096)
            continue;
        const bool huge = one.bytes.size() > 1'000'000;
        for (const sizes of : {sizes{1, 1, 7}, sizes{7, 6, 1}, sizes{64, 65, 3}, sizes{1000, 2000, 512},
                               sizes{4096, 4096, 1000}, sizes{16384, 32768, 4000}}) {
            if (huge && of.step < 1000)
                continue;
            SCOPED_TRACE(one.file + ", chunk " + std::to_string(of.chunk));
            expect_right(render_at_once(one.write, one.options, of.chunk, of.mark), one, of.chunk, of.mark);
            expect_right(render_slowly(one.write, one.options, of.chunk, of.mark, of.step), one, of.chunk, of.mark);
            expect_right(render_over_stream(one.write, one.options, of.chunk, of.mark, {of.step}), one, of.chunk,
                         of.mark);
        }
    }
}

} // namespace sluice::test
