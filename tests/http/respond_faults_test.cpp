// What goes wrong with a response: at every operation, at every step, and by destruction.
#include "exchange.hpp"
#include <sluice/coro/wait.hpp>
#include <sluice/http/respond.hpp>
#include <sluice/testing/fail_plan.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <system_error>

namespace sluice::http::test {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// Waits for the stream and for time; ten chunks of 64 bytes.
task<> patient_page(slot out) {
    sluice::array list = out.array();
    for (int i = 0; i < 20; ++i) {
        co_await list.list(std::string(29, 'x'));
        if (i % 5 == 4)
            co_await coro::wait_for(10ms);
    }
}

struct cancellable : exchange {
    explicit cancellable(unsigned version = 11) : exchange(version) {}

    template <class Content>
    void start(Content content, respond_options options = {}) {
        async_respond(
            stream, buffer, request, {}, std::move(content), options,
            asio::bind_cancellation_slot(signal.slot(), [this](respond_result got) { result = std::move(got); }));
    }
    void cancel() { signal.emit(asio::cancellation_type::terminal); }

    asio::cancellation_signal signal;
};

TEST(RespondFaultsTest, AFailureAtEveryOperationEndsTheResponseAndNothingFollows) {
    for (testing::fail_plan plan; plan.again();) {
        SCOPED_TRACE(plan.describe());
        exchange x;
        chunk_pool pool(64);
        x.client.accepts_in_turn({50, 7, 64});
        std::size_t received = 0;
        x.client.on_operation([&]() -> std::error_code {
            if (!plan.due())
                return {};
            received = x.client.received().size();
            return std::make_error_code(std::errc::connection_reset);
        });
        const respond_result result = x.respond(patient_page, {}, chunks_of(pool));
        const read_response got = read(x.client.received());
        if (!plan.reached()) {
            EXPECT_TRUE(result);
            EXPECT_TRUE(got.complete);
            continue;
        }
        EXPECT_EQ(x.client.received().size(), received);
        EXPECT_FALSE(got.complete);
        EXPECT_EQ(result.outcome, respond_outcome::client_gone);
        EXPECT_EQ(result.error, std::errc::connection_reset);
        EXPECT_FALSE(result.keep_alive);
        EXPECT_TRUE(result.closed);
        EXPECT_FALSE(x.stream.is_open());
        EXPECT_EQ(pool.bytes_in_use(), 0u);
    }
}

TEST(RespondFaultsTest, AnExceptionAtEveryStepOfTheTemplateIsAnErrorResponseOrACutOne) {
    std::size_t errors = 0;
    std::size_t cuts = 0;
    for (testing::fail_plan plan; plan.again();) {
        SCOPED_TRACE(plan.describe());
        exchange x;
        chunk_pool pool(64);
        auto page = [&](slot out) -> task<> {
            sluice::object json = out.object();
            plan.throw_if_due(std::runtime_error("secret"));
            {
                sluice::array list = json["list"].array();
                for (int i = 0; i < 40; ++i) {
                    co_await list.list(i);
                    plan.throw_if_due(std::runtime_error("secret"));
                }
            }
            co_await json("end", true);
            plan.throw_if_due(std::runtime_error("secret"));
        };
        const respond_result result = x.respond(page, {}, chunks_of(pool));
        const read_response got = read(x.client.received());
        EXPECT_EQ(x.client.received().find("secret"), std::string::npos);
        if (!plan.reached()) {
            EXPECT_TRUE(result);
        } else if (result.status == 500) {
            ++errors;
            EXPECT_TRUE(got.complete && result.keep_alive);
            EXPECT_EQ(got.body, R"({"title":"Internal Server Error","status":500})");
        } else {
            ++cuts;
            EXPECT_FALSE(got.complete || result.keep_alive);
            EXPECT_FALSE(x.stream.is_open());
        }
    }
    EXPECT_GT(errors, 10u);
    EXPECT_GT(cuts, 10u);
}

// What is in flight at that moment may still be taken, up to a step of the stream; if that was the last of the
// response, it was too late.
TEST(RespondFaultsTest, ACancellationAtEveryStepIsFollowedByNothingThatWasNotInFlight) {
    std::size_t cancelled = 0;
    for (const unsigned version : {10u, 11u}) {
        for (testing::fail_plan plan; plan.again();) {
            SCOPED_TRACE(plan.describe());
            cancellable x(version);
            chunk_pool pool(64);
            x.client.accepts_in_turn({50, 7, 64});
            x.start(patient_page, chunks_of(pool));
            std::size_t in_flight_end = 0;
            do {
                if (plan.due()) {
                    in_flight_end = x.client.received().size();
                    if (x.client.write_pending())
                        in_flight_end += 64;
                    x.cancel();
                }
            } while (!x.result && (x.simulation.run_one() || x.simulation.clock().advance_to_next()));
            ASSERT_TRUE(x.result.has_value());
            const read_response got = read(x.client.received(), false, x.result->outcome == respond_outcome::complete);
            if (x.result->outcome == respond_outcome::complete) {
                EXPECT_TRUE(got.complete);
                continue;
            }
            ++cancelled;
            EXPECT_LE(x.client.received().size(), in_flight_end);
            EXPECT_EQ(x.result->outcome, respond_outcome::cancelled);
            EXPECT_EQ(x.result->error, errc::cancelled);
            EXPECT_FALSE(got.complete);
            EXPECT_TRUE(version == 11 || x.client.received().find(']') == std::string::npos);
            EXPECT_FALSE(x.result->keep_alive);
            EXPECT_TRUE(x.result->closed);
            EXPECT_FALSE(x.stream.is_open());
        }
    }
    EXPECT_GT(cancelled, 40u);
}

TEST(RespondFaultsTest, ACancellationCutsAWriteThatTheClientDoesNotTake) {
    for (const std::size_t elements : {std::size_t{10}, std::size_t{100'000}}) { // the only write, one of many
        for (const std::size_t taken : {std::size_t{0}, std::size_t{1}, std::size_t{90}}) {
            cancellable x;
            x.client.set_window(taken);
            x.start(counting{elements});
            x.simulation.run();
            EXPECT_FALSE(x.result);
            x.cancel();
            x.simulation.run_until_idle();
            ASSERT_TRUE(x.result);
            EXPECT_EQ(x.result->outcome, respond_outcome::cancelled);
            EXPECT_EQ(x.client.received().size(), taken);
            EXPECT_TRUE(x.result->closed);
        }
    }
}

TEST(RespondFaultsTest, ACancellationBeforeTheStartSendsNothing) {
    cancellable x;
    bool ran_to_its_end = false;
    x.start([&](slot out) -> task<> {
        co_await out(1);
        co_await coro::wait_for(1h);
        ran_to_its_end = true;
    });
    x.cancel();
    x.simulation.run();
    ASSERT_TRUE(x.result);
    EXPECT_EQ(x.result->outcome, respond_outcome::cancelled);
    EXPECT_EQ(x.client.writes_started(), 0u);
    EXPECT_EQ(x.result->status, 0u);
    EXPECT_FALSE(x.result->committed);
    EXPECT_FALSE(ran_to_its_end);
}

TEST(RespondFaultsTest, ACancellationDuringAnErrorResponseEndsIt) {
    cancellable x;
    x.client.set_window(10);
    x.start(failing{3});
    x.simulation.run();
    EXPECT_FALSE(x.result);
    x.cancel();
    x.simulation.run();
    ASSERT_TRUE(x.result);
    EXPECT_EQ(x.result->outcome, respond_outcome::render_error);
    EXPECT_FALSE(x.result->keep_alive);
    EXPECT_TRUE(x.result->closed);
    EXPECT_EQ(x.client.received().size(), 10u);
}

TEST(RespondFaultsTest, AClientThatClosesOrResetsAtEveryByteIsGone) {
    std::size_t whole = 0;
    {
        exchange x;
        chunk_pool pool(64);
        x.send(counting{60}, {}, chunks_of(pool));
        whole = x.client.received().size();
    }
    for (const bool resets : {false, true}) {
        for (std::size_t after = 1; after < whole; after += 3) {
            exchange x;
            chunk_pool pool(64);
            if (resets)
                x.client.resets_after(after);
            else
                x.client.closes_after(after);
            const respond_result result = x.respond(counting{60}, {}, chunks_of(pool));
            EXPECT_EQ(result.outcome, respond_outcome::client_gone);
            EXPECT_EQ(x.client.received().size(), after);
            EXPECT_FALSE(result.keep_alive);
            EXPECT_TRUE(result.closed);
            EXPECT_EQ(pool.bytes_in_use(), 0u);
        }
    }
}

TEST(RespondFaultsTest, DestroyingTheContextAtEveryStepFreesEverythingAndSendsNothing) {
    for (testing::fail_plan plan; plan.again();) {
        SCOPED_TRACE(plan.describe());
        chunk_pool pool(64);
        auto alive = std::make_shared<int>(0);
        {
            auto simulation = std::make_unique<testing::simulation>();
            struct session {
                explicit session(testing::simulation& in) : stream(in.executor()) {}
                testing::simulated_stream stream;
                boost::beast::flat_buffer buffer;
            };
            auto shared = std::make_shared<session>(*simulation);
            testing::simulated_client client = shared->stream.client();
            client.accepts_in_turn({50, 7, 64});
            auto page = [alive](slot out) -> task<> { co_await patient_page(std::move(out)); };
            const request_type request(verb::get, "/", 11u);
            bool ended = false;
            session& here = *shared;
            async_respond(here.stream, here.buffer, request, {}, std::move(page), chunks_of(pool),
                          [shared = std::move(shared), &ended](respond_result) { ended = true; });
            bool destroyed = false;
            while (!destroyed && !ended) {
                if (plan.due()) {
                    const std::string before = client.received();
                    simulation.reset();
                    destroyed = true;
                    EXPECT_EQ(client.received(), before);
                } else if (!simulation->run_one() && !simulation->clock().advance_to_next()) {
                    FAIL() << "it does not end";
                }
            }
        }
        EXPECT_EQ(alive.use_count(), 1);
        EXPECT_EQ(pool.bytes_in_use(), 0u);
    }
}

TEST(RespondFaultsTest, AnAbandonedResponseIsNoCompleteDocument) {
    auto simulation = std::make_unique<testing::simulation>();
    auto stream = std::make_unique<testing::simulated_stream>(simulation->executor());
    testing::simulated_client client = stream->client();
    boost::beast::flat_buffer buffer;
    chunk_pool pool(64);
    client.set_window(300);
    async_respond(*stream, buffer, request_type(verb::get, "/", 11u), {}, patient_page, chunks_of(pool),
                  [](respond_result) { FAIL(); });
    simulation->run();
    simulation.reset();
    EXPECT_EQ(client.received().size(), 300u);
    EXPECT_FALSE(read(client.received()).complete);
    EXPECT_EQ(pool.bytes_in_use(), 0u);
}

} // namespace
} // namespace sluice::http::test
