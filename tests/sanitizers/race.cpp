// A planted bug: two threads write one variable with nothing between them.
#include <thread>

namespace {

volatile int shared = 0; // else the optimizer drops writes that nobody reads

}

int main() {
    std::thread other([] { shared = 1; });
    shared = 2;
    other.join();
    return 0;
}
