// Where the catalogue comes from when no file is named: the output of `apt-cache dumpavail`, or the sample that ships.
#pragma once

#include "mapped_file.hpp"

#include <optional>
#include <string>

namespace package_catalog {

// Data to serve, and what the operator should know of where it comes from: one line, without its end.
struct data_source {
    mapped_file file;
    std::string message;
};

// Maps `data` if there is one. Else runs `program dumpavail` into a temporary file (in $TMPDIR, else /tmp) and maps
// that; nobody else sees the file, and it is gone when the mapping is. Where the program is missing, fails or prints
// nothing, maps the file at `sample` and says so in the message. Throws file_error when the file that it comes down to
// cannot be mapped. Waits for the program, about a second; to be called before threads are started.
data_source open_data(const std::optional<std::string>& data, const std::string& sample,
                      const std::string& program = "apt-cache");

// The path of the sample in the source tree that the program was built from.
std::string sample_path();

} // namespace package_catalog
