// A type that is nothing JSON knows, and that nothing says how to write.
// expect: this type is not a value: describe it

#include <sluice/sluice.hpp>

#include <boost/describe.hpp>

struct plain {
    int x = 1;
};
struct described {
    int x = 1;
};
BOOST_DESCRIBE_STRUCT(described, (), (x))

sluice::task<> page(sluice::slot out) {
    auto json = out.object();
    const described right;
    co_await json("right", right);
#ifdef SLUICE_MISTAKE
    const plain wrong;
    co_await json("wrong", wrong);
#endif
}
