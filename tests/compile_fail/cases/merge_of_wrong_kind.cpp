// A map's entries have keys, a range's elements have none.
// expect: a range or an async_generator is merged into an array
// expect: a described struct or a map is merged into an object

#include <sluice/sluice.hpp>

#include <map>
#include <string>
#include <vector>

sluice::task<> page(sluice::slot out, const std::map<std::string, int>& map, const std::vector<int>& range) {
    auto json = out.object();
    co_await json.merge(map);
    auto list = json["list"].array();
    co_await list.merge(range);
#ifdef SLUICE_MISTAKE
    co_await list.merge(map);
    co_await json.merge(range);
#endif
}
