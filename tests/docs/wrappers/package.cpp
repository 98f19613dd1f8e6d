// For the side-by-side example of docs/turbostreamer.md: the fragment defines `write_package`.
#include <sluice/sluice.hpp>

#include <boost/describe/class.hpp>

#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

struct person {
    std::string name;
    std::string login;
};

struct version_range {
    std::string from;
    std::string below;
};
BOOST_DESCRIBE_STRUCT(version_range, (), (from, below))

struct dependency {
    std::string name;
    version_range range;
};

struct release {
    std::string version;
    std::string date;
};
BOOST_DESCRIBE_STRUCT(release, (), (version, date))

struct package {
    std::string name;
    std::string version;
    person author;
    std::vector<std::string> tags;
    std::vector<dependency> dependencies;
    std::optional<std::string> deprecation;
    std::vector<release> releases;
};
BOOST_DESCRIBE_STRUCT(package, (), (name, version))

inline std::string author_url(const person& p) { return "http://example.com/authors/" + p.login; }
inline std::string release_url(const release& r) { return "http://example.com/releases/" + r.version; }

@fragment@

inline void example() {
    const package shown{"weir",
                        "2.1.0",
                        {"Ada", "ada"},
                        {"json", "http"},
                        {{"sill", {"1.2", "2.0"}}, {"gate", {"0.9", "1.0"}}},
                        "Use barrage.",
                        {{"2.1.0", "2026-11-30"}, {"2.0.0", "2026-03-01"}}};
    const auto page = [&](sluice::slot out) { return write_package(std::move(out), shown); };
    std::cout << sluice::to_string(page) << "\n";
}
