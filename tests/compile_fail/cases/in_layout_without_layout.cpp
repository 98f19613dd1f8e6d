// What wraps a template is a layout.
// expect: returns a sluice::layout

#include <sluice/sluice.hpp>

sluice::layout application(sluice::slot out);
sluice::task<> no_layout(sluice::slot out);
sluice::task<> content(sluice::slot out);

std::string page() {
#ifdef SLUICE_MISTAKE
    return sluice::to_string(sluice::in_layout(no_layout, content));
#else
    return sluice::to_string(sluice::in_layout(application, content));
#endif
}
