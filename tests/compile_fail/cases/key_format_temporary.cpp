// A key format is referred to by the document: a temporary would be gone at the first key.
// expect: a key_format must outlive the render

#include <sluice/sluice.hpp>

#include <string>
#include <string_view>
#include <utility>

static const sluice::key_format shout("shout", [](std::string_view key) { return std::string(key) + "!"; });
sluice::key_format made();

sluice::task<> page(sluice::slot out) {
#ifdef SLUICE_MISTAKE
    auto json = out.object(made());
#else
    auto json = out.object(shout);
#endif
    co_await json("a", 1);
}
