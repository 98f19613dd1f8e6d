// Each line that ends in "planted" breaks the table of layers; no other does.
#include <coroutine>
#include <sluice/coro/task.hpp>
#include <sluice/error.hpp> // planted
#include <sluice/output/output.hpp> // planted
#include <boost/asio/post.hpp> // planted
