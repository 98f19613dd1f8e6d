#include <sluice/http/respond.hpp>
