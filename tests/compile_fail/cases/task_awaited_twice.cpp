// A task that is a variable is awaited once, and says so by std::move.
// expect: A task in a variable: co_await std::move\(t\)

#include <sluice/sluice.hpp>

#include <utility>

sluice::task<int> one();

sluice::task<> use() {
    auto work = one();
#ifdef SLUICE_MISTAKE
    co_await work;
#else
    co_await std::move(work);
#endif
}
