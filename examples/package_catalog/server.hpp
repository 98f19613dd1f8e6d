// The server: listens, and answers requests for the catalogue.
#pragma once

#include "catalogue.hpp"
#include "options.hpp"

#include <iosfwd>

namespace package_catalog {

// Listens as the options say, writes `listening on http://ADDRESS:PORT/` and a line end to `out` once it does, and
// serves until the process gets SIGINT or SIGTERM. Throws std::system_error, which names address and port, when it
// cannot listen.
void serve(const catalogue& packages, const options& how, std::ostream& out);

} // namespace package_catalog
