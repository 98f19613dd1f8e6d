#include <sluice/error.hpp>
