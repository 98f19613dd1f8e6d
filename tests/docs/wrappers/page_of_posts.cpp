// For templates: the fragment defines `page`, which is rendered with the viewer and the URLs as context, and printed.
#include <sluice/coro/wait.hpp>
#include <sluice/sluice.hpp>

#include <chrono>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

struct viewer {
    std::string name;
};
struct urls {
    std::string of(int id) const { return "/posts/" + std::to_string(id); }
};
struct post {
    int id = 0;
    std::string title;
    std::optional<std::string> note;
};

inline sluice::task<int> count_comments(int id) {
    co_await sluice::coro::wait_for(std::chrono::milliseconds(1));
    co_return 10 * id;
}

@fragment@

inline void example() {
    const viewer ada{"Ada"};
    const urls links;
    const std::vector<post> posts = {{1, "Hello", std::nullopt}, {2, "World", "edited"}};
    std::cout << sluice::to_string(page(posts, ada, links)) << "\n";
}
