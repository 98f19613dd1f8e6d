#include <boost/asio/post.hpp>
