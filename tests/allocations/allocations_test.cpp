// The tests that count allocations prove nothing unless every kind of one is counted.
#include "allocations.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <thread>

namespace sluice::test {
namespace {

TEST(AllocationsTest, NothingIsCountedWhereNothingIsAllocated) {
    const std::size_t before = allocations_live();
    EXPECT_EQ(allocations_of([] {}), 0U);
    EXPECT_EQ(allocations_live(), before);
}

TEST(AllocationsTest, EveryFormOfNewIsCounted) {
    const std::size_t before = allocations_live();
    EXPECT_EQ(allocations_of([] { const std::string planted(100, 'p'); }), 1U);
    EXPECT_EQ(allocations_of([] { ::operator delete(::operator new(1)); }), 1U);
    EXPECT_EQ(allocations_of([] { ::operator delete[](::operator new[](1)); }), 1U);
    EXPECT_EQ(allocations_of([] { ::operator delete(::operator new(1, std::nothrow), std::nothrow); }), 1U);
    EXPECT_EQ(allocations_live(), before);
    const auto kept = std::make_unique<int>();
    EXPECT_EQ(allocations_live(), before + 1);
}

TEST(AllocationsTest, EveryThreadIsCounted) {
    std::size_t in_thread = 0;
    const std::size_t all = allocations_of(
        [&] { std::thread([&] { in_thread = allocations_of([] { const std::string planted(100, 'p'); }); }).join(); });
    EXPECT_EQ(in_thread, 1U);
    EXPECT_GE(all, 1U);
}

#ifdef SLUICE_TEST_COUNTS_MALLOC
TEST(AllocationsTest, TheMallocFamilyIsCounted) {
    void* volatile block = nullptr;
    EXPECT_EQ(allocations_of([&] { block = std::malloc(10); }), 1U);
    EXPECT_EQ(allocations_of([&] { block = std::realloc(block, 2'000'000); }), 1U);
    EXPECT_EQ(allocations_of([&] { std::free(block); }), 0U);
    EXPECT_EQ(allocations_of([&] { block = std::calloc(10, 10); }), 1U);
    std::free(block);
    EXPECT_EQ(allocations_of([&] { block = std::aligned_alloc(64, 64); }), 1U);
    std::free(block);
    constexpr std::align_val_t aligned{64};
    EXPECT_EQ(allocations_of([&] { block = ::operator new(64, aligned); }), 1U);
    ::operator delete(block, aligned);
}
#endif

} // namespace
} // namespace sluice::test
