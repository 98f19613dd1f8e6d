// A write whose awaitable is dropped. The attribute gives a warning, which is an error here as in our own builds.
// expect: a write is awaited: co_await it

#include <sluice/sluice.hpp>

#pragma GCC diagnostic error "-Wunused-result"

sluice::task<> page(sluice::slot out) {
    auto json = out.object();
#ifdef SLUICE_MISTAKE
    json("a", 1);
#else
    co_await json("a", 1);
#endif
}
