// A second render of dirk allocates nothing. Not built under sanitizers, where malloc is not counted.
#include "allocations.hpp"
#include "golden_templates.hpp"
#include <sluice/coro/chain.hpp>
#include <sluice/output/callback_sink.hpp>
#include <sluice/output/sink.hpp>
#include <sluice/render/render.hpp>

#include <gtest/gtest.h>

#include <coroutine>
#include <cstdint>
#include <string>

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

TEST(AllocationTest, AnAllocationInsideARenderIsCounted) {
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
