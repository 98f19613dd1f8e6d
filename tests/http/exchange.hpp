// What the tests of async_respond share: a request and its response over a simulated stream, and templates.
#pragma once

#include "response_reader.hpp"
#include <sluice/http/respond.hpp>
#include <sluice/sluice.hpp>
#include <sluice/testing/simulated_stream.hpp>
#include <sluice/testing/simulation.hpp>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace sluice::http::test {

using request_type = boost::beast::http::request<boost::beast::http::empty_body>;
using boost::beast::http::verb;

// [0,1,...,n-1], counting the elements that have been rendered.
struct counting {
    std::size_t elements;
    std::size_t* rendered = nullptr;
    task<> operator()(slot out) const {
        sluice::array list = out.array();
        for (std::size_t i = 0; i < elements; ++i) {
            co_await list.list(i);
            if (rendered != nullptr)
                ++*rendered;
        }
    }
};

// A small document with every kind of scope; about 150 bytes.
inline task<> small_page(slot out) {
    sluice::object json = out.object();
    co_await json("title", "a \"title\"");
    {
        sluice::object author = json["author"].object();
        co_await author("name", "Ada");
        co_await author("age", 36);
    }
    sluice::array tags = json["tags"].array();
    for (int i = 0; i < 6; ++i) {
        sluice::object tag = tags.next().object();
        co_await tag("n", i);
        co_await tag("ok", true);
    }
}

// A render that fails, by an exception of its own, when `elements` of it have been written.
struct failing {
    std::size_t elements;
    task<> operator()(slot out) const {
        sluice::array list = out.array();
        for (std::size_t i = 0; i < elements; ++i)
            co_await list.list(i);
        throw std::runtime_error("secret 4711");
    }
};

inline respond_options chunks_of(chunk_pool& pool, std::size_t mark = 0) {
    output_options how;
    how.pool(&pool);
    if (mark != 0)
        how.high_water(mark);
    return respond_options(how);
}

struct exchange {
    explicit exchange(unsigned version = 11, bool keep_alive = true) { request_is(verb::get, version, keep_alive); }

    void request_is(verb method, unsigned version, bool keep_alive) {
        request = request_type(method, "/", version);
        request.keep_alive(keep_alive);
    }

    template <class Content>
    void start(Content content, response_head head = {}, respond_options options = {}) {
        result.reset();
        async_respond(stream, buffer, request, std::move(head), std::move(content), options,
                      [this](respond_result got) { result = std::move(got); });
    }

    template <class Content>
    respond_result respond(Content content, response_head head = {}, respond_options options = {}) {
        start(std::move(content), std::move(head), options);
        simulation.run();
        if (!result)
            throw std::logic_error("the response does not end");
        return *result;
    }

    template <class Content>
    void send(Content content, response_head head = {}, respond_options options = {}) {
        static_cast<void>(respond(std::move(content), std::move(head), options));
    }

    testing::simulation simulation;
    testing::simulated_stream stream{simulation.executor()};
    testing::simulated_client client = stream.client();
    boost::beast::flat_buffer buffer;
    request_type request;
    std::optional<respond_result> result;
};

} // namespace sluice::http::test
