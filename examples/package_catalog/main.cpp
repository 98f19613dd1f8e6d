// The package catalogue server: reads its command line and its data, and serves. See README.md.
#include "catalogue.hpp"
#include "data_source.hpp"
#include "options.hpp"
#include "server.hpp"

#include <exception>
#include <iostream>
#include <span>
#include <utility>
#include <variant>

int main(int count, char** arguments) {
    using namespace package_catalog;
    const auto parsed =
        parse_options(std::span<const char* const>(arguments, static_cast<std::size_t>(count)).subspan(count > 0));
    if (const auto* const ended = std::get_if<stop>(&parsed)) {
        (ended->status == 0 ? std::cout : std::cerr) << ended->text;
        return ended->status;
    }
    const auto& how = std::get<options>(parsed);
    try {
        data_source source = open_data(how.data, sample_path());
        std::cerr << "package_catalog: " << source.message << '\n';
        const catalogue packages(std::move(source.file));
        serve(packages, how, std::cout);
    } catch (const std::exception& error) {
        std::cerr << "package_catalog: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
