#include <sluice/error.hpp>
#include <sluice/render/slot.hpp>
#include <sluice/net/spawn.hpp> // planted
#include <sluice/version.hpp>
