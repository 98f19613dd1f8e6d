// A planted bug: reads memory after it was given back.
#include <memory>

int main() {
    auto owner = std::make_unique<int>(1);
    const volatile int* stale = owner.get();
    owner.reset();
    return *stale == 1 ? 0 : 0;
}
