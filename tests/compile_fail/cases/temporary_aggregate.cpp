// A function that is only ever awaited refuses a temporary of aggregate type with members that have a destructor.
// only: affected
// expect: name it on the line before and pass it, or write it with put

#include <sluice/gcc12.hpp>

#include <string>

struct author {
    std::string name;
};
struct point {
    int x;
};

template <class T>
void only_awaited(T&&) {
    SLUICE_REFUSE_RISKY_VALUE(T);
}

inline void use() {
    const author named{"a name"};
    only_awaited(named);
    only_awaited(point{1});
    only_awaited(std::string("text"));
#ifdef SLUICE_MISTAKE
    only_awaited(author{"a name"});
#endif
}
