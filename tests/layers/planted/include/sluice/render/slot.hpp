#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>
#include <sluice/cache/memcached.hpp>
#  include <sluice/http/respond.hpp> // planted
