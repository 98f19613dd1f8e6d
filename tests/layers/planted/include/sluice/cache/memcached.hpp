#include <libmemcached/memcached.h> // planted
#include <sluice/render/slot.hpp> // planted
