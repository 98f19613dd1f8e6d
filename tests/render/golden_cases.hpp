// Every golden document with its template and data, for tests that hold for all of them.
#pragma once

#include "runner.hpp"
#include <sluice/encode/json_options.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::test {

// One datum of a document's data.
struct datum {
    std::function<std::string()> change; // to a value that stands nowhere else in the document; returns its JSON
    std::function<void()> restore;
    std::string text;        // what its JSON says: a string's characters, or a token
    std::string_view member; // the innermost described member that holds it; empty where none does
};

struct golden_case {
    std::string file;
    content write; // refers to data that lives as long as the program
    json_options options;
    std::function<std::vector<datum>()> data;
    std::string bytes; // of the file, decompressed
};

// All of them, the small ones first.
const std::vector<golden_case>& golden_cases();

} // namespace sluice::test
