#include <sluice/encode/number.hpp>

#include <cassert>
#include <charconv>
#include <cmath>

namespace sluice::encode {
namespace {

template <class Float>
char* write(char* out, Float value, bool keep_point) noexcept {
    assert(std::isfinite(value));
    // Longest: "-2.2250738585072014e-308", 24 bytes; it cannot fail.
    char* const end = std::to_chars(out, out + max_double_size - 2, value).ptr;
    if (!keep_point)
        return end;
    for (const char* p = out; p != end; ++p) {
        if (*p == '.' || *p == 'e')
            return end;
    }
    end[0] = '.';
    end[1] = '0';
    return end + 2;
}

} // namespace

char* write_number(char* out, double value, bool keep_point) noexcept {
    return write(out, value, keep_point);
}

char* write_number(char* out, float value, bool keep_point) noexcept {
    return write(out, value, keep_point);
}

} // namespace sluice::encode
