// Writes objects of eight members with literal keys, plain or formatted, for bench/instructions.py.
//
//     key_formats plain|formatted OBJECTS
#include <sluice/coro/sync_wait.hpp>
#include <sluice/output/callback_sink.hpp>
#include <sluice/sluice.hpp>

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <system_error>
#include <utility>

namespace {

sluice::task<> write_objects(sluice::slot out, int objects) {
    auto list = out.array();
    for (int i = 0; i < objects; ++i) {
        auto json = list.next().object();
        co_await json("first_name", 1);
        co_await json("last_name", 2);
        co_await json("zip_code", 3);
        co_await json("created_at", 4);
        co_await json("updated_at", 5);
        co_await json("author_name", 6);
        co_await json("is_public", 7);
        co_await json("message", 8);
    }
}

} // namespace

int main(int count, char** arguments) {
    const std::string_view how = count == 3 ? arguments[1] : "";
    if (how != "plain" && how != "formatted") {
        std::cerr << "usage: key_formats plain|formatted OBJECTS\n";
        return 2;
    }
    const int objects = std::atoi(arguments[2]);
    sluice::render_options options;
    if (how == "formatted")
        options.keys(sluice::keys::camel());
    std::size_t bytes = 0;
    sluice::callback_sink sink([&](std::string_view piece) {
        bytes += piece.size();
        return std::error_code();
    });
    const auto page = [objects](sluice::slot out) { return write_objects(std::move(out), objects); };
    const sluice::render_result result = sluice::coro::sync_wait(sluice::render(sink, page, options));
    if (result.error) {
        std::cerr << result.message() << '\n';
        return 1;
    }
    std::cout << bytes << '\n';
}
