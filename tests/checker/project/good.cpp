#include "prelude.hpp"

#if !RIGHT
#error "the checker did not get the target's definitions"
#endif

forms::task good(forms::writer json, bool b) {
    const std::string text = b ? std::string(TEXT) : std::string();
    co_await json("k", text);
}
