#include <libmemcached/memcached.h>
#include <zstd.h>
#include <zlib.h> // planted
