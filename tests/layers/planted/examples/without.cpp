#include <sluice/version.hpp>
