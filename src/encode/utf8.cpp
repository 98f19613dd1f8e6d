#include "block.hpp"
#include <sluice/encode/utf8.hpp>

#include <cstdint>

namespace sluice::encode {
namespace {

[[maybe_unused]] bool is_ascii(std::uint64_t word) noexcept {
    return (word & 0x8080'8080'8080'8080) == 0;
}

} // namespace

std::size_t valid_prefix(const char* p, std::size_t n) noexcept {
    std::size_t i = 0;
    while (i < n) {
#if SLUICE_ENCODE_SSE2
        const auto block = detail::block::load(p + i, n - i);
        const std::uint64_t non_ascii = block.non_ascii();
        const unsigned whole = non_ascii == 0 ? block.width : detail::whole_sequences(block, non_ascii);
        if (whole != 0) {
            i += whole;
            continue;
        }
#else
        while (n - i >= 8 && is_ascii(detail::load<std::uint64_t>(p + i)))
            i += 8;
        if (i == n)
            break;
#endif
        const utf8_step step = classify_utf8(p + i, n - i);
        if (step.kind != utf8_kind::valid)
            break;
        i += step.length;
    }
    return i;
}

} // namespace sluice::encode
