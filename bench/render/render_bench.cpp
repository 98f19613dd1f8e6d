// Rendering in memory: the four documents, each competitor's bytes checked to be equal first.
//
//     render_bench                                            all, with Google Benchmark's options
//     render_bench --benchmark_filter='/(fields|rapidjson)$'  two of them
//     render_bench --equality-only                            the check alone
//     render_bench --dump feed                                a document's bytes
#include "equal_documents.hpp"
#include "writers.hpp"

#include <benchmark/benchmark.h>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

namespace {

struct named_shape {
    bench::shape which;
    const char* name;
};
constexpr named_shape shapes[] = {{bench::shape::rolf, "rolf"},
                                  {bench::shape::dirk, "dirk"},
                                  {bench::shape::alba, "alba"},
                                  {bench::shape::feed, "feed"}};

struct competitor {
    bench::writer& how;
    const char* name;
};

bool all_equal(const competitor (&competitors)[4]) {
    bool equal = true;
    for (const auto [which, name] : shapes) {
        const std::string expected = competitors[0].how.text(which);
        for (const competitor& other : competitors) {
            const std::string difference = bench::first_difference(expected, other.how.text(which));
            if (difference.empty())
                continue;
            std::cerr << name << ": " << other.name << " differs from " << competitors[0].name << ": " << difference
                      << '\n';
            equal = false;
        }
    }
    return equal;
}

} // namespace

int main(int count, char** arguments) {
    static const bench::documents data;
    const competitor competitors[] = {{bench::fields_writer(data), "fields"},
                                      {bench::described_writer(data), "described"},
                                      {bench::rapidjson_writer(data), "rapidjson"},
                                      {bench::boost_json_writer(data), "boost_json"}};
    const std::string_view first = count > 1 ? arguments[1] : "";
    if (first == "--dump" && count > 2) {
        for (const auto [which, name] : shapes)
            if (std::string_view(arguments[2]) == name)
                std::cout << competitors[0].how.text(which);
        return 0;
    }
    if (!all_equal(competitors))
        return 1;
    if (first == "--equality-only") {
        std::cout << "all documents are equal\n";
        return 0;
    }
    for (const auto [which, name] : shapes) {
        for (const competitor& one : competitors) {
            benchmark::RegisterBenchmark(
                (std::string(name) + '/' + one.name).c_str(), [&how = one.how, which = which](benchmark::State& state) {
                    std::size_t size = 0;
                    for (auto _ : state)
                        size = how.run(which);
                    state.SetBytesProcessed(static_cast<std::int64_t>(size) * state.iterations());
                });
        }
    }
    benchmark::Initialize(&count, arguments);
    if (benchmark::ReportUnrecognizedArguments(count, arguments))
        return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
