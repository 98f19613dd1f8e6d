// A user's program on the core: no Asio, no HTTP.
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/task.hpp>

#include <cstdio>

sluice::coro::task<int> answer() {
    co_return 42;
}

int main() {
    std::printf("%d\n", sluice::coro::sync_wait(answer()));
    return sluice::coro::sync_wait(answer()) == 42 ? 0 : 1;
}
