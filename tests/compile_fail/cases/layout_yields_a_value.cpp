// A layout yields the place of its template, not a value.
// expect: a layout yields a slot

#include <sluice/sluice.hpp>

sluice::layout application(sluice::slot out) {
    auto json = out.object();
#ifdef SLUICE_MISTAKE
    co_yield 1;
#else
    co_yield json["data"];
#endif
}
