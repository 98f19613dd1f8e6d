// The competitors: each writes one of the four documents and says how many bytes it was, or gives the bytes.
#pragma once

#include "feed.hpp"
#include "golden_data.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

struct documents {
    sluice::golden::article rolf = sluice::golden::rolf_data();
    sluice::golden::dirk_document dirk = sluice::golden::dirk_data();
    std::vector<sluice::golden::collection_post> alba = sluice::golden::alba_data();
    bench::feed feed = make_feed();
};

enum class shape { rolf, dirk, alba, feed };

/// One way of writing the documents. A writer may keep buffers between runs.
class writer {
public:
    writer() = default;
    writer(const writer&) = delete;
    writer& operator=(const writer&) = delete;
    virtual ~writer() = default;
    /// Writes the document and discards it; returns its size.
    virtual std::size_t run(shape which) = 0;
    /// Writes the document and returns it.
    virtual std::string text(shape which) = 0;
};

/// Sluice, a coroutine for each nested element and a co_await for each field.
writer& fields_writer(const documents& data);
/// Sluice, described structs written whole.
writer& described_writer(const documents& data);
/// RapidJSON's Writer, into a string buffer that is kept.
writer& rapidjson_writer(const documents& data);
/// Boost.JSON's serializer, from a ready tree, into pieces of 16 KiB.
writer& boost_json_writer(const documents& data);

} // namespace bench
