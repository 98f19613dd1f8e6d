// A pointer, which would be written as true by an implicit conversion.
// expect: a pointer other than const char\* is not a value

#include <sluice/sluice.hpp>

sluice::task<> page(sluice::slot out) {
    auto json = out.object();
    const int number = 1;
    co_await json("right", number);
#ifdef SLUICE_MISTAKE
    co_await json("wrong", &number);
#endif
}
