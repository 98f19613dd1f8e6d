// A function that is only ever awaited refuses a temporary lambda with captures that have a destructor.
// only: affected
// expect: name it on the line before and pass it, or sluice::moved\(it\)

#include <sluice/gcc12.hpp>

#include <string>

template <class F>
void only_awaited(F&& body) {
    SLUICE_REFUSE_RISKY_CALLABLE(F);
    auto kept = sluice::detail::take<F>(body);
    kept();
}

inline void use(std::string text) {
    only_awaited([&text] { text.clear(); });
    const auto named = [text] { return text.size(); };
    only_awaited(named);
    auto given = [text] { return text.size(); };
    only_awaited(sluice::moved(given));
#ifdef SLUICE_MISTAKE
    only_awaited([text] { return text.size(); });
#endif
}
