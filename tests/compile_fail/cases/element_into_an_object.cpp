// A member has a key, an element has none.
// expect: no match|no matching|no member

#include <sluice/sluice.hpp>

sluice::task<> page(sluice::slot out) {
    auto json = out.object();
    co_await json("key", 1);
    auto list = json["list"].array();
    co_await list.list(1);
#ifdef SLUICE_MISTAKE
    co_await json(1);
    co_await list("key", 1);
#endif
}
