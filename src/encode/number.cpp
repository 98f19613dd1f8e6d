#include <sluice/encode/number.hpp>

#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace sluice::encode {
namespace {

template <class Float>
char* write(char* out, Float value, bool keep_point) noexcept {
    assert(std::isfinite(value));
    // Whole numbers that the type holds exactly read as integers: 100000, where the shortest text would be 1e+05.
    constexpr Float exact = std::is_same_v<Float, float> ? Float(0x1p24) : Float(1e15);
    if (value > -exact && value < exact) {
        const auto whole = static_cast<std::int64_t>(value);
        if (static_cast<Float>(whole) == value && (whole != 0 || !std::signbit(value))) {
            char* const end = write_integer(out, whole);
            if (!keep_point)
                return end;
            end[0] = '.';
            end[1] = '0';
            return end + 2;
        }
    }
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
