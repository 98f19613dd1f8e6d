// A slot is filled once: it cannot be copied.
// expect: deleted|implicitly

#include <sluice/sluice.hpp>

#include <utility>

sluice::task<> part(sluice::slot out);

sluice::task<> page(sluice::slot out) {
#ifdef SLUICE_MISTAKE
    co_await part(out);
#else
    co_await part(std::move(out));
#endif
}
