#include <string>
#include <sluice/coro/task.hpp> // planted
