// A callable that each cannot call with a slot and an element.
// expect: each calls write\(slot, element\)

#include <sluice/sluice.hpp>

#include <string>
#include <vector>

std::string page(const std::vector<int>& numbers) {
#ifdef SLUICE_MISTAKE
    const auto write = [](sluice::slot out) { return out(1); };
#else
    const auto write = [](sluice::slot out, int n) { return out(n); };
#endif
    return sluice::to_string([&](sluice::slot out) { return out.each(numbers, write); });
}
