#include "server.hpp"

#include "query.hpp"
#include "templates.hpp"
#include <sluice/http/respond.hpp>
#include <sluice/net/spawn.hpp>
#include <sluice/net/use_task.hpp>
#include <sluice/coro/sync_wait.hpp>
#include <sluice/sluice.hpp>

#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include <chrono>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace package_catalog {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using sluice::task;
using sluice::http::response_head;
using namespace std::chrono_literals;

constexpr auto read_timeout = 30s;
constexpr std::uint64_t largest_body = 64 * 1024; // of a request; what it says is ignored

template <class... Cases>
struct overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
overloaded(Cases...) -> overloaded<Cases...>;

// One connection: reads a request, answers it, and so on, until the connection's end.
class session {
public:
    session(tcp::socket socket, const catalogue& packages) : stream_(std::move(socket)), packages_(packages) {}

    task<> run() {
        for (bool goes_on = true; goes_on;) {
            http::request_parser<http::string_body> parser;
            parser.body_limit(largest_body);
            stream_.expires_after(read_timeout);
            const auto read = co_await http::async_read(stream_, buffer_, parser, sluice::net::use_task_with_code);
            stream_.expires_never(); // a reader may be as slow as it likes
            if (read.first)
                goes_on = co_await refuse(read.first);
            else
                goes_on = co_await answer(parser.get());
        }
        beast::error_code ignored;
        stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    }

private:
    template <class Request>
    task<bool> answer(const Request& request) {
        if (request.method() != http::verb::get && request.method() != http::verb::head) {
            problem wrong;
            wrong.status = 405;
            wrong.title = "Method Not Allowed";
            wrong.detail = "only GET and HEAD are answered here";
            return respond_problem(request, std::move(wrong));
        }
        const auto target = request.target();
        return std::visit(overloaded{
                              [&](problem&& wrong) { return respond_problem(request, std::move(wrong)); },
                              [&](root_request&&) { return respond(request, 200, write_endpoints); },
                              [&](list_request&& wanted) { return respond_list(request, std::move(wanted)); },
                              [&](package_request&& wanted) { return respond_package(request, std::move(wanted)); },
                          },
                          parse_target({target.data(), target.size()}));
    }

    // A request that cannot be read. Nothing is said to a client that has gone or is silent.
    task<bool> refuse(const beast::error_code& why) {
        const bool is_bad = why.category() == make_error_code(http::error::bad_method).category() &&
                            why != http::error::end_of_stream && why != http::error::partial_message;
        if (!is_bad)
            co_return false;
        http::request<http::empty_body> unread(http::verb::get, "/", 11);
        unread.keep_alive(false);
        problem wrong;
        wrong.title = "Bad Request";
        wrong.detail = "the request is not HTTP/1.1 as it should be: " + why.message();
        co_await respond_problem(unread, std::move(wrong));
        co_return false;
    }

    task<bool> respond_list(const auto& request, list_request wanted) {
        control_reader from = packages_.all();
        if (!wanted.after.empty()) {
            const auto found = packages_.after(wanted.after);
            if (!found) {
                co_return co_await respond_problem(request, no_such_place(wanted.after));
            }
            from = *found;
        }
        const auto content = [&](sluice::slot out) { return write_packages(std::move(out), packages_, from, wanted); };
        if (wanted.buffered)
            co_return co_await respond_buffered(request, sluice::to_string(content));
        co_return co_await respond(request, 200, content);
    }

    task<bool> respond_package(const auto& request, package_request wanted) {
        record found;
        if (!packages_.find(wanted.name, found))
            co_return co_await respond_problem(request, no_such_package(wanted.name));
        co_return co_await respond(request, 200, [&](sluice::slot out) { return write_record(std::move(out), found); });
    }

    task<bool> respond_problem(const auto& request, problem wrong) {
        response_head head(wrong.status);
        head.set("Content-Type", "application/problem+json");
        if (wrong.status == 405)
            head.set("Allow", "GET, HEAD");
        co_return co_await respond(request, std::move(head),
                                   [&](sluice::slot out) { return write_problem(std::move(out), wrong); });
    }

    // The streamed answer: what the document takes is bounded by its marks, however long it is.
    template <class Content>
    task<bool> respond(const auto& request, response_head head, Content content) {
        const auto result = co_await sluice::http::async_respond(stream_, buffer_, request, std::move(head), content,
                                                                 {}, sluice::net::use_task);
        co_return result.keep_alive;
    }

    // What servers do without streaming: the whole document, then the first byte of it.
    task<bool> respond_buffered(const auto& request, std::string document) {
        http::response<http::string_body> response(http::status::ok, request.version());
        response.set(http::field::content_type, "application/json");
        response.keep_alive(request.keep_alive());
        response.content_length(document.size());
        if (request.method() != http::verb::head)
            response.body() = std::move(document);
        http::response_serializer<http::string_body> serializer(response);
        bool sent = false;
        if (request.method() == http::verb::head) {
            const auto done = co_await http::async_write_header(stream_, serializer, sluice::net::use_task_with_code);
            sent = !done.first;
        } else {
            const auto done = co_await http::async_write(stream_, serializer, sluice::net::use_task_with_code);
            sent = !done.first;
        }
        co_return sent&& response.keep_alive();
    }

    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    const catalogue& packages_;
};

task<> run_session(tcp::socket socket, const catalogue& packages) {
    session one(std::move(socket), packages);
    co_await one.run();
}

// Each connection has a strand, on which its session and its templates run.
task<> accept_all(asio::io_context& io, tcp::acceptor& acceptor, const catalogue& packages) {
    for (;;) {
        const auto strand = asio::make_strand(io);
        auto accepted = co_await acceptor.async_accept(strand, sluice::net::use_task_with_code);
        if (accepted.first) { // out of descriptors, mostly: others will be closed
            asio::steady_timer pause(io, 50ms);
            co_await pause.async_wait(sluice::net::use_task);
            continue;
        }
        beast::error_code ignored;
        accepted.second.set_option(tcp::no_delay(true), ignored);
        sluice::net::spawn(strand, run_session(std::move(accepted.second), packages), asio::detached);
    }
}

void listen(tcp::acceptor& acceptor, const tcp::endpoint& where) {
    try {
        acceptor.open(where.protocol());
        acceptor.set_option(tcp::acceptor::reuse_address(true));
        acceptor.bind(where);
        acceptor.listen();
    } catch (const boost::system::system_error& error) {
        throw std::system_error(error.code(), "cannot listen on " + where.address().to_string() + " port " +
                                                  std::to_string(where.port()));
    }
}

std::string url_of(const tcp::endpoint& where) {
    std::string address = where.address().to_string();
    if (where.address().is_v6())
        address = '[' + address + ']';
    return "http://" + address + ':' + std::to_string(where.port()) + '/';
}

} // namespace

void serve(const catalogue& packages, const options& how, std::ostream& out) {
    asio::io_context io(static_cast<int>(how.threads));
    tcp::acceptor acceptor(io);
    listen(acceptor, {asio::ip::make_address(how.address), how.port});
    out << "listening on " << url_of(acceptor.local_endpoint()) << std::endl;

    asio::signal_set signals(io, SIGINT, SIGTERM);
    signals.async_wait([&](const beast::error_code&, int) { io.stop(); });
    sluice::net::spawn(asio::make_strand(io), accept_all(io, acceptor, packages), asio::detached);

    std::vector<std::jthread> helpers;
    for (unsigned i = 1; i < how.threads; ++i)
        helpers.emplace_back([&] { io.run(); });
    io.run();
}

} // namespace package_catalog
