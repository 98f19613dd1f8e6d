#include "options.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <thread>
#include <utility>

namespace package_catalog {

namespace {

constexpr std::string_view help_text = R"(usage: package_catalog [option]...

Serves Debian's package catalogue over HTTP as JSON, streamed while it is read.

  --port N        listen on this port, 0 to 65535; 0 picks a free one and prints it (default: 8080)
  --address A     listen on this IPv4 or IPv6 address (default: 127.0.0.1)
  --threads N     serve with so many threads, 1 to 1024 (default: one for each processor)
  --data FILE     serve this file, in Debian's control format (default: what `apt-cache dumpavail` prints, or, where that is
                  not to be had, the sample that comes with the program)
  --help          print this and exit
)";

constexpr unsigned max_threads = 1024;

stop wrong(const std::string& what) {
    return {2, "package_catalog: " + what + "\nTry 'package_catalog --help'.\n"};
}

std::optional<unsigned> parse_number(std::string_view text, unsigned lowest, unsigned highest) noexcept {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || number < lowest || number > highest)
        return std::nullopt;
    return number;
}

bool is_address(const std::string& text) noexcept {
    std::array<unsigned char, sizeof(in6_addr)> bytes{};
    return ::inet_pton(AF_INET, text.c_str(), bytes.data()) == 1 ||
           ::inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
}

// Sets one option; what is wrong with its value, if anything.
std::optional<std::string> set_option(options& result, std::string_view name, std::string value) {
    const auto bad = [&](std::string_view expected) {
        return std::string(name) + " is '" + value + "', not " + std::string(expected);
    };
    if (name == "--port") {
        const auto number = parse_number(value, 0, 65535);
        if (!number)
            return bad("a port from 0 to 65535");
        result.port = static_cast<std::uint16_t>(*number);
    } else if (name == "--threads") {
        const auto number = parse_number(value, 1, max_threads);
        if (!number)
            return bad("a number of threads from 1 to 1024");
        result.threads = *number;
    } else if (name == "--address") {
        if (!is_address(value))
            return bad("an IPv4 or IPv6 address");
        result.address = std::move(value);
    } else {
        if (value.empty())
            return bad("the name of a file");
        result.data = std::move(value);
    }
    return std::nullopt;
}

} // namespace

std::string_view usage() noexcept {
    return help_text;
}

std::variant<options, stop> parse_options(std::span<const char* const> arguments) {
    static constexpr std::array<std::string_view, 4> names{"--port", "--threads", "--data", "--address"};
    options result;
    // The standard lets the count be 0 where it is not known.
    result.threads = std::clamp(std::thread::hardware_concurrency(), 1U, max_threads);
    std::array<bool, names.size()> seen{};

    for (std::size_t at = 0; at < arguments.size(); ++at) {
        const std::string_view argument = arguments[at];
        const std::size_t equals = argument.starts_with("--") ? argument.find('=') : std::string_view::npos;
        const std::string_view name = argument.substr(0, equals);
        if (argument == "--help")
            return stop{0, std::string(help_text)};
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) {
            if (argument.starts_with('-'))
                return wrong("there is no option '" + std::string(name) + "'");
            // Not "'" + std::string, of which g++ 12 warns at -O3, wrongly.
            return wrong(std::string(1, '\'').append(argument) + "' is no option; a file is given with --data");
        }
        bool& is_seen = seen[static_cast<std::size_t>(found - names.begin())];
        if (is_seen)
            return wrong(std::string(name) + " is there twice");
        is_seen = true;
        std::string value;
        if (equals != std::string_view::npos)
            value = argument.substr(equals + 1);
        else if (at + 1 < arguments.size())
            value = arguments[++at];
        else
            return wrong(std::string(name) + " needs a value");
        if (auto failed = set_option(result, *found, std::move(value)))
            return wrong(*failed);
    }
    return result;
}

} // namespace package_catalog
