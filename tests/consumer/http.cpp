// A user's server: answers one request over a pair of sockets.
#include <sluice/http/respond.hpp>
#include <sluice/sluice.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>

#include <array>
#include <cstdio>
#include <string_view>

namespace asio = boost::asio;
namespace beast = boost::beast;

sluice::task<> person(sluice::slot out) {
    auto json = out.object();
    co_await json("name", "Ann");
    co_await json("age", 42);
}

int main() {
    asio::io_context context;
    asio::local::stream_protocol::socket server(context);
    asio::local::stream_protocol::socket client(context);
    asio::local::connect_pair(server, client);

    beast::flat_buffer buffer;
    const beast::http::request<beast::http::empty_body> request(beast::http::verb::get, "/", 11);
    bool complete = false;
    sluice::http::async_respond(server, buffer, request, {}, person, {}, [&](const sluice::http::respond_result& result) {
        complete = result.outcome == sluice::http::respond_outcome::complete;
    });
    context.run();

    std::array<char, 1024> bytes;
    const std::string_view response(bytes.data(), client.read_some(asio::buffer(bytes)));
    std::fwrite(response.data(), 1, response.size(), stdout);
    return complete && response.ends_with("\r\n\r\n{\"name\":\"Ann\",\"age\":42}") ? 0 : 1;
}
