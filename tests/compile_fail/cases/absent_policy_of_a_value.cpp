// A value that is always there needs no policy for its absence.
// expect: an absent_policy goes with a value that can be absent

#include <sluice/sluice.hpp>

#include <optional>

sluice::task<> page(sluice::slot out, const std::optional<int>& maybe, int always) {
    auto json = out.object();
    co_await json("maybe", maybe, sluice::absent_policy::omit);
#ifdef SLUICE_MISTAKE
    co_await json("always", always, sluice::absent_policy::omit);
#else
    co_await json("always", always);
#endif
}
