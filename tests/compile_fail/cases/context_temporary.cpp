// A context is referred to: a temporary would be gone when a template looks for it.
// expect: a temporary does not

#include <sluice/sluice.hpp>

sluice::task<> content(sluice::slot out);

std::string page() {
    int viewer = 1;
#ifdef SLUICE_MISTAKE
    return sluice::to_string(sluice::with_context(content, viewer, 2));
#else
    return sluice::to_string(sluice::with_context(content, viewer));
#endif
}
