#include "prelude.hpp"

forms::task bad(forms::writer json, bool b, std::string text) {
    co_await json("k", b ? text : std::string("none"));
}
