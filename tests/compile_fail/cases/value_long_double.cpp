// A long double, which has no portable text.
// expect: long double has no portable text

#include <sluice/sluice.hpp>

sluice::task<> page(sluice::slot out) {
    auto json = out.object();
    co_await json("right", 1.5);
#ifdef SLUICE_MISTAKE
    co_await json("wrong", 1.5L);
#endif
}
