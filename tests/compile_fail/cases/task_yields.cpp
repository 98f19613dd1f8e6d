// Only a layout, or a generator, yields.
// expect: a task does not yield

#include <sluice/sluice.hpp>

sluice::layout application(sluice::slot out) {
    auto json = out.object();
    co_yield json["data"];
}

#ifdef SLUICE_MISTAKE
sluice::task<> page(sluice::slot out) {
    auto json = out.object();
    co_yield json["data"];
}
#endif
