// sluice::moved() takes names only: a temporary would be gone before it is taken.
// expect: (use of deleted function|call to deleted function)

#include <sluice/moved.hpp>

#include <string>

inline void use() {
    std::string named = "text";
    (void)sluice::moved(named);
#ifdef SLUICE_MISTAKE
    (void)sluice::moved(std::string("text"));
#endif
}
