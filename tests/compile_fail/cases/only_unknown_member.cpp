// A name in only<> that the described struct does not have.
// expect: only<> or except<> names a member

#include <sluice/sluice.hpp>

#include <boost/describe.hpp>

struct described {
    int x = 1;
};
BOOST_DESCRIBE_STRUCT(described, (), (x))

sluice::task<> page(sluice::slot out) {
    auto json = out.object();
    const described value;
    co_await json("right", value, sluice::only<"x">);
#ifdef SLUICE_MISTAKE
    co_await json("wrong", value, sluice::only<"y">);
#endif
}
