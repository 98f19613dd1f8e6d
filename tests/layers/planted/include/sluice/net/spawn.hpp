#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>
#include <boost/beast/core/stream_traits.hpp> // planted
#include <boost/asio.hpp> // planted
#include <sluice/render/slot.hpp> // planted
