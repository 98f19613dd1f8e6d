// A callable that is given a slot and returns nothing: a forgotten return, and nothing would be awaited.
// expect: render\.hpp.*is a return missing
// expect: write_parts\.hpp.*is a return missing

#include <sluice/sluice.hpp>

#include <string>
#include <vector>

std::string page(const std::vector<int>& numbers) {
#ifdef SLUICE_MISTAKE
    static_cast<void>(sluice::to_string([](sluice::slot out) { static_cast<void>(out(1)); }));
    const auto write = [](sluice::slot out, int n) { static_cast<void>(out(n)); };
#else
    static_cast<void>(sluice::to_string([](sluice::slot out) { return out(1); }));
    const auto write = [](sluice::slot out, int n) { return out(n); };
#endif
    return sluice::to_string([&](sluice::slot out) { return out.each(numbers, write); });
}
