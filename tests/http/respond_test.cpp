#include "exchange.hpp"
#include <sluice/coro/wait.hpp>
#include <sluice/http/respond.hpp>
#include <sluice/net/use_task.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>

namespace sluice::http::test {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

const std::string small = sluice::to_string(small_page);

TEST(RespondTest, ASmallDocumentGoesOutWithItsLengthInOneWrite) {
    exchange x;
    const respond_result result = x.respond(small_page);
    EXPECT_EQ(x.client.received(), "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                                       std::to_string(small.size()) + "\r\n\r\n" + small);
    EXPECT_EQ(x.client.write_sizes().size(), 1u);
    EXPECT_EQ(result.outcome, respond_outcome::complete);
    EXPECT_FALSE(result.error);
    EXPECT_EQ(result.message, "");
    EXPECT_EQ(result.status, 200u);
    EXPECT_EQ(result.bytes, small.size());
    EXPECT_TRUE(result.committed);
    EXPECT_TRUE(result.keep_alive);
    EXPECT_FALSE(result.closed);
    EXPECT_TRUE(x.stream.is_open());
}

TEST(RespondTest, ALargerDocumentIsChunkedWithHeadAndFirstChunkInOneWriteAndTheEndInTheLast) {
    exchange x;
    chunk_pool pool(8);
    const respond_result result = x.respond(counting{10}, {}, chunks_of(pool, 8));
    EXPECT_EQ(x.client.received(), "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: "
                                   "chunked\r\n\r\n8\r\n[0,1,2,3\r\n8\r\n,4,5,6,7\r\n5\r\n,8,9]\r\n0\r\n\r\n");
    EXPECT_EQ(x.client.write_sizes().size(), 3u);
    EXPECT_EQ(result.bytes, 21u);
    EXPECT_TRUE(result.keep_alive);
    EXPECT_NE(result.suspensions, 0u);
}

TEST(RespondTest, ADocumentThatFillsTheFirstChunkToTheByteIsNotChunked) {
    chunk_pool pool(small.size());
    exchange x;
    x.send(small_page, {}, chunks_of(pool, 2 * small.size()));
    EXPECT_EQ(read(x.client.received()).fields["Content-Length"], std::to_string(small.size()));
}

TEST(RespondTest, HeadGetsTheHeadAndTheNextRequestItsBody) {
    exchange x;
    x.request_is(verb::head, 11, true);
    bool ran = false;
    auto page = [&](slot out) {
        ran = true;
        return small_page(std::move(out));
    };
    const respond_result result = x.respond(page);
    EXPECT_EQ(x.client.take_received(), "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n");
    EXPECT_FALSE(ran);
    EXPECT_TRUE(result.keep_alive);
    EXPECT_EQ(result.bytes, 0u);
    x.send(page, response_head().set("Content-Length", "77"));
    EXPECT_EQ(x.client.take_received(),
              "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 77\r\n\r\n");
    x.request_is(verb::get, 11, true);
    x.send(page);
    EXPECT_EQ(read(x.client.received()).body, small);
}

TEST(RespondTest, ToHttp10ALongDocumentEndsWithTheConnection) {
    for (const bool keep_alive : {false, true}) {
        exchange x(10, keep_alive);
        chunk_pool pool(8);
        const respond_result result = x.respond(counting{10}, {}, chunks_of(pool, 8));
        EXPECT_EQ(
            x.client.received(),
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n[0,1,2,3,4,5,6,7,8,9]");
        EXPECT_EQ(result.outcome, respond_outcome::complete);
        EXPECT_FALSE(result.keep_alive);
        EXPECT_FALSE(result.closed);
    }
}

TEST(RespondTest, ToHttp10TheConnectionLivesOnOnlyWithALengthAndWhenAskedTo) {
    for (const bool keep_alive : {false, true}) {
        exchange x(10, keep_alive);
        const respond_result result = x.respond(counting{2});
        EXPECT_EQ(x.client.received(),
                  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\nConnection: " +
                      std::string(keep_alive ? "keep-alive" : "close") + "\r\n\r\n[0,1]");
        EXPECT_EQ(result.keep_alive, keep_alive);
    }
}

TEST(RespondTest, TheConnectionEndsWhereTheRequestOrTheHeadSaysSo) {
    exchange asked(11, false);
    EXPECT_FALSE(asked.respond(counting{1}).keep_alive);
    EXPECT_EQ(read(asked.client.received()).fields["Connection"], "close");
    exchange told;
    EXPECT_FALSE(told.respond(counting{1}, response_head().set("connection", "x, Close")).keep_alive);
    EXPECT_EQ(read(told.client.received()).fields["Connection"], "x, close");
}

TEST(RespondTest, TheHeadsOwnFieldsWinButNotOverTheFraming) {
    exchange x;
    x.send(counting{1}, response_head(201)
                            .set("content-type", "application/vnd.api+json")
                            .set("Content-Length", "3")
                            .set("Transfer-Encoding", "gzip")
                            .set("ETag", "\"a\""));
    EXPECT_EQ(x.client.received(), "HTTP/1.1 201 Created\r\ncontent-type: application/vnd.api+json\r\nETag: "
                                   "\"a\"\r\nContent-Length: 3\r\n\r\n[0]");
}

TEST(RespondTest, AStatusWithoutABodyRunsNoTemplate) {
    for (const unsigned status : {102u, 204u, 205u, 304u}) {
        exchange x;
        bool ran = false;
        auto page = [&](slot out) {
            ran = true;
            return small_page(std::move(out));
        };
        const respond_result result = x.respond(page, response_head(status).set("ETag", "1"));
        EXPECT_FALSE(ran);
        EXPECT_EQ(result.outcome, respond_outcome::complete);
        EXPECT_EQ(result.status, status);
        EXPECT_TRUE(result.keep_alive);
        const std::string text = x.client.received();
        EXPECT_EQ(text.substr(text.find("\r\n")),
                  status == 205 ? "\r\nETag: 1\r\nContent-Length: 0\r\n\r\n" : "\r\nETag: 1\r\n\r\n");
    }
}

TEST(RespondTest, ATemplateInALayoutAndAContextIsGivenTheHead) {
    exchange x;
    const auto application = [](slot out) -> layout {
        auto json = out.object();
        co_yield json["data"];
    };
    const auto page = [](slot out, response_head& head) -> task<> {
        head.status(boost::beast::http::status::accepted);
        co_await out(out.context<const int>());
    };
    const int answer = 42;
    const respond_result result = x.respond(with_context(in_layout(application, page), answer));
    EXPECT_FALSE(result.error) << result.message;
    read_response got = read(x.client.received());
    EXPECT_EQ(got.status_line, "HTTP/1.1 202 Accepted");
    EXPECT_EQ(got.body, R"({"data":42})");
}

TEST(RespondTest, ATemplateChangesTheHeadUntilItIsSent) {
    exchange x;
    chunk_pool pool(64);
    bool refused = false;
    auto page = [&](slot out, response_head& head) -> task<> {
        sluice::array list = out.array();
        co_await list.list(1);
        head.status(boost::beast::http::status::accepted).set("X-Late", "yes");
        for (int i = 0; i < 1000 && !head.sent(); ++i)
            co_await list.list(i);
        try {
            head.set("X-Late", "no");
        } catch (const std::logic_error&) {
            refused = true;
        }
    };
    const respond_result result = x.respond(page, {}, chunks_of(pool));
    read_response got = read(x.client.received());
    EXPECT_EQ(got.status_line, "HTTP/1.1 202 Accepted");
    EXPECT_EQ(got.fields["X-Late"], "yes");
    EXPECT_TRUE(got.complete);
    EXPECT_TRUE(refused);
    EXPECT_EQ(result.status, 202u);
}

TEST(RespondTest, ATemplateMayDecideThatThereIsNoBody) {
    exchange x;
    const respond_result result = x.respond([](slot, response_head& head) -> task<> {
        head.status(304);
        co_return;
    });
    EXPECT_EQ(x.client.received(), "HTTP/1.1 304 Not Modified\r\n\r\n");
    EXPECT_EQ(result.outcome, respond_outcome::complete);
    EXPECT_TRUE(result.keep_alive);
}

TEST(RespondTest, ABodyWhereTheStatusHasNoneIsAnErrorResponse) {
    exchange x;
    const respond_result result = x.respond([](slot out, response_head& head) -> task<> {
        head.status(204);
        co_await out(1);
    });
    EXPECT_EQ(read(x.client.received()).status, 500u);
    EXPECT_EQ(result.outcome, respond_outcome::render_error);
    EXPECT_NE(result.message.find("204"), std::string::npos);
}

constexpr const char* problem = "HTTP/1.1 500 Internal Server Error\r\nContent-Type: application/problem+json\r\n"
                                "Content-Length: 46\r\n\r\n{\"title\":\"Internal Server Error\",\"status\":500}";

TEST(RespondTest, AnErrorBeforeTheHeadIsSentBecomesAnErrorResponse) {
    exchange x;
    const respond_result result = x.respond(failing{100}, response_head(201).set("X-Mine", "1"));
    EXPECT_EQ(x.client.take_received(), problem);
    EXPECT_EQ(result.outcome, respond_outcome::render_error);
    EXPECT_EQ(result.error, errc::template_threw);
    EXPECT_NE(result.message.find("secret 4711"), std::string::npos);
    EXPECT_THROW(std::rethrow_exception(result.exception), std::runtime_error);
    EXPECT_EQ(result.status, 500u);
    EXPECT_EQ(result.bytes, 0u);
    EXPECT_TRUE(result.committed);
    EXPECT_TRUE(result.keep_alive);
    EXPECT_FALSE(result.closed);
    x.send(counting{1});
    EXPECT_EQ(read(x.client.received()).body, "[0]");
}

TEST(RespondTest, AnErrorAfterTheHeadIsSentCutsTheConnection) {
    for (const unsigned version : {10u, 11u}) {
        exchange x(version);
        chunk_pool pool(64);
        const respond_result result = x.respond(failing{100}, {}, chunks_of(pool));
        const std::string& text = x.client.received();
        EXPECT_FALSE(read(text).complete);
        EXPECT_FALSE(read(text).malformed);
        EXPECT_EQ(text.find("0\r\n\r\n"), std::string::npos);
        EXPECT_EQ(text.find(']'), std::string::npos);
        EXPECT_EQ(text.find("secret"), std::string::npos);
        EXPECT_EQ(result.outcome, respond_outcome::render_error);
        EXPECT_EQ(result.status, 200u);
        EXPECT_TRUE(result.committed);
        EXPECT_FALSE(result.keep_alive);
        EXPECT_TRUE(result.closed);
        EXPECT_TRUE(x.client.server_closed());
    }
}

TEST(RespondTest, MisuseNamesItsPathAndTellsTheClientNothing) {
    exchange x;
    const respond_result result = x.respond([](slot out) -> task<> {
        sluice::object json = out.object();
        sluice::object author = json["author"].object();
        co_await json("name", 1);
    });
    EXPECT_EQ(x.client.received(), problem);
    EXPECT_EQ(result.error, errc::parent_written_while_child_open);
    EXPECT_NE(result.message.find("$.author"), std::string::npos);
}

// Case SPL 15.
TEST(RespondTest, StreamingWorksWithNoLayout) {
    exchange x;
    std::size_t rendered = 0;
    const std::size_t elements = 180'000;
    const std::string whole = sluice::to_string(counting{elements});
    ASSERT_GE(whole.size(), 1024u * 1024);
    x.start(counting{elements, &rendered});
    // Until the first byte of the body.
    for (std::size_t head = std::string::npos; head == std::string::npos || x.client.received().size() <= head + 4;
         head = x.client.received().find("\r\n\r\n"))
        ASSERT_TRUE(x.simulation.run_one());
    EXPECT_LT(rendered, elements);
    x.simulation.run();
    EXPECT_GT(x.client.write_sizes().size(), 10u);
    EXPECT_EQ(read(x.client.received()).body, whole);
}

TEST(RespondTest, UnderOnePercentIsRenderedWhenTheClientHasItsFirstByte) {
    exchange x;
    x.client.set_window(1);
    std::size_t rendered = 0;
    const std::size_t elements = 750'000; // 5 MB
    x.start(counting{elements, &rendered});
    x.simulation.run_until_idle();
    EXPECT_EQ(x.client.bytes_received(), 1u);
    EXPECT_LT(rendered, elements / 100);
    EXPECT_GT(rendered, 0u);
}

TEST(RespondTest, WhatIsBufferedNeverExceedsTheMarkAChunkAnd4KiBWithASlowReader) {
    for (const std::size_t mark : {std::size_t{16} * 1024, std::size_t{32} * 1024, std::size_t{100} * 1024}) {
        exchange x;
        chunk_pool pool(16 * 1024);
        x.client.set_window(0);
        x.start(counting{200'000}, {}, chunks_of(pool, mark));
        x.simulation.run_until_idle();
        while (!x.result) {
            x.client.open_window(777);
            x.simulation.run_until_idle();
        }
        EXPECT_TRUE(*x.result);
        EXPECT_GT(x.result->suspensions, 10u);
        EXPECT_LE(pool.peak_bytes_in_use(), mark + pool.chunk_size() + 4096);
    }
}

TEST(RespondTest, TheBodyIsTheBufferedRenderingForEveryChunkSizeMarkAndWayOfReading) {
    for (std::size_t size = 1; size <= 64; ++size) {
        for (const std::size_t mark : {std::size_t{1}, size - 1, size, size + 1, 2 * size}) {
            for (std::size_t accepted = 1; accepted <= 7; accepted += 2) {
                exchange x;
                chunk_pool pool(size);
                x.client.accepts_at_most(accepted);
                const respond_result result =
                    x.respond(small_page, {}, chunks_of(pool, std::max<std::size_t>(mark, 1)));
                read_response got = read(x.client.received());
                ASSERT_TRUE(got.complete && !got.malformed) << size << ' ' << mark;
                ASSERT_EQ(got.body, small) << size << ' ' << mark;
                ASSERT_EQ(got.size, x.client.received().size());
                ASSERT_TRUE(result.keep_alive);
                ASSERT_TRUE(result.suspensions != 0 || small.size() <= mark + size);
            }
        }
    }
}

TEST(RespondTest, WhatIsThereGoesOutAfterTheLingerTimeOnceTheHeadIsSent) {
    exchange x;
    chunk_pool pool(64);
    auto page = [](slot out) -> task<> {
        sluice::array list = out.array();
        co_await coro::wait_for(1s); // before the head is sent: nothing goes out by time
        for (int i = 0; i < 50; ++i)
            co_await list.list(i);
        co_await list.list("waits");
        co_await coro::wait_for(1h);
    };
    x.start(page, {}, chunks_of(pool));
    x.simulation.advance(999ms);
    EXPECT_EQ(x.client.received(), "");
    x.simulation.advance(10ms);
    EXPECT_NE(x.client.received().find("waits"), std::string::npos);
    x.simulation.run();
    const read_response got = read(x.client.received());
    EXPECT_TRUE(got.complete);
    EXPECT_EQ(got.chunks.back(), 0u);
    EXPECT_EQ(got.chunks[got.chunks.size() - 2], 1u); // the bracket
}

// Else the client had the document whole, and the template could still fail.
TEST(RespondTest, TheLastBytesAndTheLastChunkComeWithTheEndOfTheTemplate) {
    exchange x;
    chunk_pool pool(64);
    auto page = [](slot out) -> task<> {
        co_await out(std::string(80, 'x'));
        co_await coro::wait_for(1h);
    };
    x.start(page, {}, chunks_of(pool));
    x.simulation.advance(59min);
    EXPECT_FALSE(read(x.client.received()).body.ends_with('"'));
    x.simulation.run();
    EXPECT_TRUE(read(x.client.received()).complete);
    EXPECT_EQ(read(x.client.received()).body.size(), 82u);
    EXPECT_GT(x.client.write_sizes().back(), 5u);
}

TEST(RespondTest, ATemplateAwaitsTimersAndOperations) {
    exchange x;
    testing::simulated_stream other(x.simulation.executor());
    other.client().sends("from afar");
    auto page = [&](slot out) -> task<> {
        char text[32];
        co_await coro::wait_for(1ms);
        const std::size_t size = co_await other.async_read_some(asio::buffer(text), net::use_task);
        co_await out(std::string_view(text, size));
    };
    x.send(page);
    EXPECT_EQ(read(x.client.received()).body, "\"from afar\"");
}

TEST(RespondTest, NothingOfTheRequestIsReferredToLater) {
    exchange x;
    auto request = std::make_unique<request_type>(verb::get, "/", 10u);
    async_respond(x.stream, x.buffer, *request, response_head(203), small_page, {},
                  [&](respond_result got) { x.result = std::move(got); });
    request.reset();
    x.simulation.run();
    EXPECT_EQ(read(x.client.received()).fields["Connection"], "close");
}

TEST(RespondTest, EveryCompletionTokenGetsTheResult) {
    exchange x;
    auto page = [](slot out) -> task<> { co_await out(7); };
    const std::string whole = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n7";

    std::future<respond_result> future = async_respond(x.stream, x.buffer, x.request, {}, page, {}, asio::use_future);
    x.simulation.run();
    EXPECT_TRUE(future.get());
    EXPECT_EQ(x.client.take_received(), whole);

    bool awaited = false;
    asio::co_spawn(
        x.simulation.executor(),
        [&]() -> asio::awaitable<void> {
            const respond_result got =
                co_await async_respond(x.stream, x.buffer, x.request, {}, page, {}, asio::use_awaitable);
            awaited = got.keep_alive;
        },
        asio::detached);
    x.simulation.run();
    EXPECT_TRUE(awaited);
    EXPECT_EQ(x.client.take_received(), whole);

    bool in_task = false;
    auto serve = [&]() -> task<> {
        const respond_result got = co_await async_respond(x.stream, x.buffer, x.request, {}, page, {}, net::use_task);
        in_task = got.keep_alive;
    };
    net::spawn(x.simulation.executor(), serve, asio::detached);
    x.simulation.run();
    EXPECT_TRUE(in_task);
    EXPECT_EQ(x.client.take_received(), whole);

    auto later = async_respond(x.stream, x.buffer, x.request, {}, page, {}, asio::deferred);
    x.simulation.run();
    EXPECT_EQ(x.client.received(), "");
    bool called = false;
    std::move(later)([&](respond_result) { called = true; });
    x.simulation.run();
    EXPECT_TRUE(called);
    EXPECT_EQ(x.client.take_received(), whole);

    async_respond(x.stream, x.buffer, x.request, {}, page, {}, asio::detached);
    x.simulation.run();
    EXPECT_EQ(x.client.take_received(), whole);
}

// With a callback a temporary lambda may keep what it needs.
TEST(RespondTest, ContentIsKeptUntilTheEndAndFreedBeforeTheHandlerIsCalled) {
    exchange x;
    auto kept = std::make_shared<int>(42);
    long uses = 0;
    async_respond(
        x.stream, x.buffer, x.request, {}, [kept](slot out) -> task<> { co_await out(*kept); }, {},
        [&, watched = std::weak_ptr<int>(kept)](respond_result) { uses = watched.use_count(); });
    kept.reset();
    x.simulation.run();
    EXPECT_EQ(read(x.client.received()).body, "42");
    EXPECT_EQ(uses, 0);
}

} // namespace
} // namespace sluice::http::test
