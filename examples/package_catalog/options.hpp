// The command line of the package catalogue server.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace package_catalog {

struct options {
    std::string address = "127.0.0.1"; // --address: IPv4 or IPv6, where it listens
    std::uint16_t port = 8080;         // --port: 0 lets the system pick one
    unsigned threads = 1;            // --threads: that serve requests, 1 to 1024; the default is one for each processor
    std::optional<std::string> data; // --data: a control file; without it, what `apt-cache dumpavail` prints
};

// Ends the program at once: with `text` on standard output and status 0 (--help), or on standard error and status 2 (a
// command line that is wrong).
struct stop {
    int status = 0;
    std::string text; // whole lines
};

// Reads the arguments that follow the program's name. A value follows its option as the next argument or after '='. An
// unknown option, an argument that is no option, a missing, bad or repeated value: a stop that names it.
std::variant<options, stop> parse_options(std::span<const char* const> arguments);

// What --help prints.
std::string_view usage() noexcept;

} // namespace package_catalog
