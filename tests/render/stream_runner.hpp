// Rendering in tests over a simulated connection, in a unit of its own, so that one includes Asio.
#pragma once

#include "runner.hpp"

#include <vector>

namespace sluice::test {

// Into a stream whose client takes at most these many bytes of each write, in turn, again and again.
outcome render_over_stream(content what, render_options options, std::size_t chunk, std::size_t mark,
                           std::vector<std::size_t> steps);

} // namespace sluice::test
