// An enumeration without described names: its number or its name?
// expect: an enum needs described names

#include <sluice/sluice.hpp>

#include <boost/describe.hpp>

enum class plain { a, b };
enum class described { a, b };
BOOST_DESCRIBE_ENUM(described, a, b)

sluice::task<> page(sluice::slot out) {
    auto json = out.object();
    co_await json("right", described::a);
    co_await json("cast", static_cast<int>(plain::b));
#ifdef SLUICE_MISTAKE
    co_await json("wrong", plain::a);
#endif
}
