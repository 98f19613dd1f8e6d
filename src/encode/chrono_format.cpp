#include <sluice/encode/chrono_format.hpp>
#include <sluice/encode/number.hpp>

#include <chrono>

namespace sluice::encode::detail {
namespace {

char* write_two(char* out, unsigned value) noexcept {
    out[0] = static_cast<char>('0' + value / 10);
    out[1] = static_cast<char>('0' + value % 10);
    return out + 2;
}

} // namespace

char* write_timestamp(char* out, split_seconds since_epoch, unsigned digits) noexcept {
    using namespace std::chrono;
    constexpr auto first = sys_seconds{sys_days{year{0} / January / 1}}.time_since_epoch().count();
    constexpr auto past = sys_seconds{sys_days{year{10'000} / January / 1}}.time_since_epoch().count();
    if (!since_epoch.in_range || since_epoch.seconds < first || since_epoch.seconds >= past)
        return nullptr;
    const sys_seconds time{seconds{since_epoch.seconds}};
    const auto day = floor<days>(time);
    const year_month_day date{day};
    const auto second = static_cast<unsigned>((time - day).count());
    const auto year_number = static_cast<unsigned>(static_cast<int>(date.year()));
    out = write_two(out, year_number / 100);
    out = write_two(out, year_number % 100);
    *out++ = '-';
    out = write_two(out, static_cast<unsigned>(date.month()));
    *out++ = '-';
    out = write_two(out, static_cast<unsigned>(date.day()));
    *out++ = 'T';
    out = write_two(out, second / 3600);
    *out++ = ':';
    out = write_two(out, second / 60 % 60);
    *out++ = ':';
    out = write_two(out, second % 60);
    if (digits != 0) {
        // All nine are written and those beyond `digits` forgotten.
        const auto nanoseconds = static_cast<std::uint32_t>(since_epoch.attoseconds / 1'000'000'000);
        *out = '.';
        *write_eight(out + 1, nanoseconds / 10) = static_cast<char>('0' + nanoseconds % 10);
        out += 1 + (digits < 9 ? digits : 9);
    }
    *out++ = 'Z';
    return out;
}

char* write_duration(char* out, split_seconds length) noexcept {
    if (!length.in_range)
        return nullptr;
    auto total = static_cast<std::uint64_t>(length.seconds);
    std::uint64_t fraction = length.attoseconds;
    if (length.seconds < 0) {
        // -1.25 s is held as -2 s and 0.75 s.
        total = 0 - total;
        if (fraction != 0) {
            --total;
            fraction = static_cast<std::uint64_t>(attoseconds_per_second) - fraction;
        }
        *out++ = '-';
    }
    const std::uint64_t hours = total / 3600;
    const auto minutes = static_cast<unsigned>(total / 60 % 60);
    const auto seconds = static_cast<unsigned>(total % 60);
    const bool has_seconds = seconds != 0 || fraction != 0;
    *out++ = 'P';
    *out++ = 'T';
    if (hours != 0) {
        out = write_integer(out, hours);
        *out++ = 'H';
    }
    if (minutes != 0 || (hours != 0 && has_seconds)) {
        out = write_integer(out, minutes);
        *out++ = 'M';
    }
    if (has_seconds || total == 0) {
        out = write_integer(out, seconds);
        if (fraction != 0) {
            constexpr std::uint64_t low = 100'000'000;
            *out++ = '.';
            // Eighteen digits: two, eight and eight.
            out = write_two(out, static_cast<unsigned>(fraction / (low * low)));
            out = write_eight(out, static_cast<std::uint32_t>(fraction / low % low));
            out = write_eight(out, static_cast<std::uint32_t>(fraction % low));
            while (out[-1] == '0')
                --out;
        }
        *out++ = 'S';
    }
    return out;
}

} // namespace sluice::encode::detail
