// A user's program on the core: no Asio, no HTTP.
#include <sluice/sluice.hpp>

#include <cstdio>
#include <string>

sluice::task<> person(sluice::slot out) {
    auto json = out.object();
    co_await json("name", "Ann");
    co_await json("age", 42);
}

int main() {
    const std::string text = sluice::to_string(person);
    std::puts(text.c_str());
    return text == R"({"name":"Ann","age":42})" ? 0 : 1;
}
