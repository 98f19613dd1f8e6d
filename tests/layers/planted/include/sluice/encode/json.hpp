#include <sluice/output/output.hpp>
#include "../output/output.hpp" // planted
#include "nowhere.hpp" // planted
#include <boost/describe.hpp> // planted
