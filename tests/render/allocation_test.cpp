// A second render of dirk allocates nothing. Not built under sanitizers, which have a malloc of their own.
#include "golden_templates.hpp"
#include <sluice/coro/chain.hpp>
#include <sluice/output/callback_sink.hpp>
#include <sluice/output/sink.hpp>
#include <sluice/render/render.hpp>

#include <gtest/gtest.h>

#include <coroutine>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

namespace {

thread_local bool counting = false;
thread_local std::size_t allocations = 0;

void count() noexcept {
    if (counting)
        ++allocations;
}

} // namespace

// glibc's own allocator, behind the functions that this program puts in its place.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);

void* malloc(std::size_t size) {
    count();
    return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
    count();
    return __libc_calloc(number, size);
}
void* realloc(void* block, std::size_t size) {
    count();
    return __libc_realloc(block, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
    count();
    return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    count();
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
    count();
    *block = __libc_memalign(alignment, size);
    return *block != nullptr ? 0 : 12;
}
}

void* operator new(std::size_t size) {
    count();
    if (void* block = __libc_malloc(size))
        return block;
    throw std::bad_alloc();
}
void operator delete(void* block) noexcept {
    __libc_free(block);
}
void operator delete(void* block, std::size_t) noexcept {
    __libc_free(block);
}

namespace sluice::test {

namespace {

class discarding_sink final : public synchronous_sink {
public:
    std::uint64_t bytes = 0;

private:
    std::error_code write_now(const batch& all, bool) noexcept override {
        bytes += all.size();
        return {};
    }
};

template <class Action>
std::size_t allocations_of(Action action) {
    allocations = 0;
    counting = true;
    action();
    counting = false;
    return allocations;
}

template <class Content>
std::uint64_t discard(Content content) {
    discarding_sink sink;
    bool ended = false;
    coro::chain<render_result> chain(render(sink, content), {});
    chain.start({[](void* object) noexcept -> std::coroutine_handle<> {
                     *static_cast<bool*>(object) = true;
                     return nullptr;
                 },
                 &ended});
    EXPECT_TRUE(ended);
    EXPECT_FALSE(chain.result().error);
    return sink.bytes;
}

} // namespace

TEST(AllocationTest, APlantedAllocationIsCounted) {
    EXPECT_EQ(allocations_of([] {}), 0U);
    EXPECT_EQ(allocations_of([] { const std::string planted(100, 'p'); }), 1U);
    EXPECT_EQ(allocations_of([] { ::operator delete(::operator new(1)); }), 1U);
    void* volatile block = nullptr;
    EXPECT_EQ(allocations_of([&] { block = std::malloc(10); }), 1U);
    EXPECT_EQ(allocations_of([&] { block = std::realloc(block, 2'000'000); }), 1U);
    EXPECT_EQ(allocations_of([&] { std::free(block); }), 0U);
    EXPECT_EQ(allocations_of([&] { std::free(std::aligned_alloc(64, 64)); }), 1U);
    // Also inside a render.
    const auto planted = [](slot out) -> task<> {
        const std::string text(100, 'p');
        co_await out(text);
    };
    discard(planted);
    EXPECT_EQ(allocations_of([&] { discard(planted); }), 1U);
}

TEST(AllocationTest, ASecondRenderOfDirkAllocatesNothing) {
    const golden::dirk_document data = golden::dirk_data();
    const auto document = [&](slot out) { return golden::dirk(std::move(out), data); };
    std::uint64_t bytes = 0;
    EXPECT_GT(allocations_of([&] { bytes = discard(document); }), 0U);
    EXPECT_EQ(bytes, 5'255'704U);
    EXPECT_EQ(allocations_of([&] { bytes = discard(document); }), 0U);
    EXPECT_EQ(bytes, 5'255'704U);
}

TEST(AllocationTest, ASecondRenderOfADescribedStructAllocatesNothing) {
    const auto data = golden::rolf_data();
    const auto document = [&](slot out) -> task<> { co_await out(data); };
    discard(document);
    EXPECT_EQ(allocations_of([&] { discard(document); }), 0U);
}

} // namespace sluice::test
