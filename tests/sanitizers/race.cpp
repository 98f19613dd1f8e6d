// A planted bug: two threads write one variable with nothing between them.
#include <thread>

namespace {

int shared = 0;

}

int main() {
    std::thread other([] { shared = 1; });
    shared = 2;
    other.join();
    return 0;
}
