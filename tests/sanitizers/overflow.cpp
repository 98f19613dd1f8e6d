// A planted bug: undefined behaviour, a signed addition that overflows.
#include <limits>

int main() {
    volatile int most = std::numeric_limits<int>::max();
    volatile int sum = most + 1;
    return sum == 0 ? 0 : 0;
}
