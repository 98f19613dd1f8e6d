// A map whose keys are not strings is no object.
// expect: the keys of a map that is an object are strings

#include <sluice/sluice.hpp>

#include <map>
#include <string>

sluice::task<> page(sluice::slot out) {
    auto json = out.object();
    const std::map<std::string, int> right = {{"a", 1}};
    co_await json("right", right);
#ifdef SLUICE_MISTAKE
    const std::map<int, int> wrong = {{1, 1}};
    co_await json("wrong", wrong);
#endif
}
