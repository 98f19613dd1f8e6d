// The feed: 20,000 rows of numbers, quoted and accented text and absent notes; about 5.8 MB. The other three documents
// of the benchmarks are those of the golden files (tests/render/golden_data.hpp).
#pragma once

#include <boost/describe/class.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bench {

struct feed_row {
    std::int64_t id = 0;
    double price = 0;
    double score = 0;
    bool active = false;
    std::string title;
    std::string text;
    std::optional<std::string> note;
};
BOOST_DESCRIBE_STRUCT(feed_row, (), (id, price, score, active, title, text, note))

struct feed {
    std::vector<feed_row> rows;
};
BOOST_DESCRIBE_STRUCT(feed, (), (rows))

/// Always the same rows: from a xorshift generator (Marsaglia 2003) with a fixed seed.
inline feed make_feed(int count = 20'000) {
    constexpr std::array words = {"stream", "backpressure", "caf\xc3\xa9", "socket", "line\nbreak",
                                  "tab\t",  "buffer",       "chunk",       "render", "layout"};
    std::uint64_t state = 88'172'645'463'325'252;
    const auto next = [&state] {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return state;
    };
    feed made;
    for (int number = 0; number < count; ++number) {
        feed_row row;
        row.id = static_cast<std::int64_t>(next() >> 20);
        row.price = static_cast<double>(next() % 1'000'000) / 100;
        row.score = static_cast<double>(next() >> 11) * 0x1p-53;
        row.active = (next() & 1) != 0;
        row.title = "Item " + std::to_string(number) + " \"quoted\" title";
        for (std::uint64_t left = 5 + next() % 30; left != 0; --left)
            row.text.append(words[next() % 10]).append(" ");
        if (next() % 3 == 0)
            row.note = "a note";
        made.rows.push_back(std::move(row));
    }
    return made;
}

} // namespace bench
