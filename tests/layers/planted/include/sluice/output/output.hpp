#include <sys/uio.h>
#include <unistd.h>
#include <sluice/coro/task.hpp>
#include <sluice/error.hpp>
#include <sluice/encode/json.hpp> // planted
#include <sluice/render/missing.hpp> // planted
