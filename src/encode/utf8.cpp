#include "block.hpp"
#include <sluice/encode/utf8.hpp>

#include <cstdint>

namespace sluice::encode {
namespace {

bool is_ascii(std::uint64_t word) noexcept {
    return (word & 0x8080'8080'8080'8080) == 0;
}

} // namespace

std::size_t valid_prefix(const char* p, std::size_t n) noexcept {
    using detail::load;
    std::size_t i = 0;
    while (i < n) {
#if SLUICE_ENCODE_SSE2
        while (n - i >= 16) {
            const __m128i block = detail::load_block(p + i);
            const auto non_ascii = static_cast<unsigned>(_mm_movemask_epi8(block));
            if (non_ascii == 0) {
                i += 16;
                continue;
            }
            const unsigned whole = detail::whole_sequences(block, non_ascii, 16);
            if (whole == 0)
                break;
            i += whole;
        }
#endif
        while (n - i >= 8 && is_ascii(load<std::uint64_t>(p + i)))
            i += 8;
        if (i == n)
            break;
        const utf8_step step = classify_utf8(p + i, n - i);
        if (step.kind != utf8_kind::valid)
            break;
        i += step.length;
    }
    return i;
}

} // namespace sluice::encode
