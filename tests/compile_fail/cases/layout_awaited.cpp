// A layout without its template is not something to await.
// expect: a layout is not awaited by itself

#include <sluice/sluice.hpp>

#include <utility>

sluice::layout application(sluice::slot out);
sluice::task<> content(sluice::slot out);

sluice::task<> page(sluice::slot out) {
#ifdef SLUICE_MISTAKE
    co_await application(std::move(out));
#else
    auto whole = sluice::in_layout(application, content);
    co_await whole(std::move(out));
#endif
}
