// What the tests of misuse share.
#pragma once

#include "json_reader.hpp"
#include "runner.hpp"
#include <sluice/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace sluice::test {

// Renders in many buffers, and expects this failure, and never a whole document.
inline void expect_failure(const content& what, errc code, const std::string& path, render_options options = {}) {
    for (const std::size_t chunk : {1U, 64U, 16384U}) {
        SCOPED_TRACE("chunk " + std::to_string(chunk));
        const outcome plain = render_at_once(what, options, chunk, 2 * chunk);
        EXPECT_EQ(plain.result.error, code) << plain.result.message();
        EXPECT_NE(plain.result.message().find("at " + path + ":"), std::string::npos) << plain.result.message();
        EXPECT_EQ(plain.result.path, path);
        EXPECT_FALSE(is_json(plain.bytes)) << plain.bytes;
        const outcome slow = render_slowly(what, options, chunk, 1, 7);
        EXPECT_FALSE(slow.stalled);
        EXPECT_EQ(slow.result.error, code) << slow.result.message();
        EXPECT_FALSE(is_json(slow.bytes)) << slow.bytes;
        EXPECT_TRUE(slow.aborted);
        EXPECT_EQ(slow.misuse, "");
        EXPECT_LE(slow.peak, 1 + 2 * chunk + 4096); // a put may fill a chunk that it did not begin
    }
}

} // namespace sluice::test
