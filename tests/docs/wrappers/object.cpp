// For the inside of a template: `json` is the open object of the document, which is printed. `exists` waits.
#include <sluice/sluice.hpp>

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

inline sluice::task<bool> exists(std::string_view name) { co_return !name.empty(); }

inline sluice::task<> render_example(sluice::slot out) {
    auto json = out.object();
@fragment@
}

inline void example() { std::cout << sluice::to_string(render_example) << "\n"; }
