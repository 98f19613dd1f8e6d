// The documents of the server, as templates: coroutines that fill a slot. They know nothing of HTTP.
#pragma once

#include "catalogue.hpp"
#include "query.hpp"
#include <sluice/render/slot.hpp>
#include <sluice/task.hpp>

namespace package_catalog {

// GET /
sluice::task<> write_endpoints(sluice::slot out);

// GET /packages: {"meta":{...},"data":[...]}, with the records that `from` reads and `request` asks for. A record is
// read when the one before it has been written, so that one is in memory at a time. The catalogue and the request must
// outlive the task.
sluice::task<> write_packages(sluice::slot out, const catalogue& packages, control_reader from,
                              const list_request& request);

// GET /packages/{name}: one record, every field of it. `item` must outlive the task.
sluice::task<> write_record(sluice::slot out, const record& item);

// What is wrong with a request (RFC 9457). `wrong` must outlive the task.
sluice::task<> write_problem(sluice::slot out, const problem& wrong);

} // namespace package_catalog
