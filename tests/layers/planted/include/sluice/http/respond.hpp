#include <boost/beast/http/fields.hpp>
#include <boost/core/span.hpp>
#include <sluice/net/spawn.hpp>
#include <sluice/testing/stream.hpp> // planted
#include <zlib.h> // planted
#include <boost/beast.hpp> // planted
