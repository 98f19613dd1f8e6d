#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/wait.hpp>
#include <sluice/net/spawn.hpp>
#include <sluice/net/use_task.hpp>
#include <sluice/testing/fail_plan.hpp>
#include <sluice/testing/simulated_stream.hpp>
#include <sluice/testing/simulation.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using boost::system::error_code;
using testing::simulated_client;
using testing::simulated_stream;
using testing::simulation;

// What an operation ended with; none while it is pending.
using outcome = std::optional<std::pair<error_code, std::size_t>>;
auto into(outcome& to) {
    return [&to](error_code code, std::size_t size) { to.emplace(code, size); };
}
outcome ended(error_code code, std::size_t size = 0) {
    return std::pair(code, size);
}

class SimulatedStreamTest : public ::testing::Test {
protected:
    void write(std::string text) {
        text_ = std::move(text);
        stream.async_write_some(asio::buffer(text_), into(written));
    }
    void read() { stream.async_read_some(asio::buffer(bytes), into(red)); }

    simulation sim;
    simulated_stream stream{sim.executor()};
    simulated_client client = stream.client();
    std::array<char, 8> bytes{};
    outcome written;
    outcome red;

private:
    std::string text_;
};

TEST_F(SimulatedStreamTest, NeverCompletesInsideItsInitiation) {
    client.sends("abc");
    read();
    write("x");
    EXPECT_FALSE(red);
    EXPECT_FALSE(written);
    sim.run();
    EXPECT_EQ(red, ended({}, 3));
    EXPECT_EQ(written, ended({}, 1));
    EXPECT_EQ(client.received(), "x");
}

TEST_F(SimulatedStreamTest, TakesWritesInPiecesAsScripted) {
    client.accepts_in_turn({1, 2, 3});
    const std::string text = "abcdefghijk";
    outcome all;
    asio::async_write(stream, std::array<asio::const_buffer, 2>{asio::buffer(text, 4), asio::buffer(text) + 4},
                      into(all));
    sim.run();
    EXPECT_EQ(all, ended({}, 11));
    EXPECT_EQ(client.received(), text);
    EXPECT_EQ(client.write_sizes(), (std::vector<std::size_t>{1, 2, 3, 1, 2, 2}));
    EXPECT_EQ(client.writes_started(), 6u);
}

TEST_F(SimulatedStreamTest, AWindowHoldsWritesUntilItOpens) {
    client.set_window(0);
    write("abcdef");
    sim.run();
    EXPECT_FALSE(written);
    EXPECT_TRUE(client.write_pending());
    client.open_window(2);
    sim.run();
    EXPECT_EQ(written, ended({}, 2));
    EXPECT_EQ(client.window(), 0u);
    EXPECT_FALSE(client.write_pending());
}

TEST_F(SimulatedStreamTest, GivesWhatTheClientSendsCutWhereItIsCut) {
    client.sends_in_pieces("abcde", 2);
    client.finishes();
    std::vector<std::size_t> sizes;
    std::string all;
    for (int i = 0; i < 3; ++i) {
        read();
        sim.run();
        sizes.push_back(red->second);
        all.append(bytes.data(), red->second);
    }
    EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 2, 1}));
    EXPECT_EQ(all, "abcde");
    read();
    sim.run();
    EXPECT_EQ(red, ended(asio::error::eof));
    write("still open"); // half closed
    sim.run();
    EXPECT_EQ(written, ended({}, 10));
}

TEST_F(SimulatedStreamTest, AReadGetsAtMostWhatFits) {
    client.sends("0123456789");
    read();
    sim.run();
    EXPECT_EQ(red, ended({}, 8));
    EXPECT_EQ(client.unread(), 2u);
}

TEST_F(SimulatedStreamTest, AResetEndsEverything) {
    client.set_window(0);
    std::optional<error_code> waited;
    read();
    write("x");
    stream.async_wait(asio::socket_base::wait_error, [&](error_code code) { waited = code; });
    sim.run();
    EXPECT_FALSE(waited);
    client.resets();
    sim.run();
    EXPECT_EQ(red, ended(asio::error::connection_reset));
    EXPECT_EQ(written, ended(asio::error::connection_reset));
    EXPECT_EQ(waited, error_code());
    write("y");
    sim.run();
    EXPECT_EQ(written, ended(asio::error::connection_reset));
}

TEST_F(SimulatedStreamTest, AClosedClientBreaksThePipe) {
    client.closes();
    read();
    write("x");
    sim.run();
    EXPECT_EQ(red, ended(asio::error::eof));
    EXPECT_EQ(written, ended(asio::error::broken_pipe));
}

TEST_F(SimulatedStreamTest, AClientGoesAfterExactlySoManyBytes) {
    for (const bool reset : {false, true}) {
        for (std::size_t n = 0; n < 6; ++n) {
            simulated_stream other(sim.executor());
            if (reset)
                other.client().resets_after(n);
            else
                other.client().closes_after(n);
            outcome all;
            const std::string text = "abcdef";
            asio::async_write(other, asio::buffer(text), into(all));
            sim.run();
            EXPECT_EQ(all, ended(reset ? asio::error::connection_reset : asio::error::broken_pipe, n));
            EXPECT_EQ(other.client().received(), text.substr(0, n));
        }
    }
}

TEST_F(SimulatedStreamTest, FailsTheOperationsItIsToldTo) {
    const auto error = std::make_error_code(std::errc::timed_out);
    client.fail_write(1, error);
    client.fail_read(0, error);
    client.sends("abc");
    read();
    write("1");
    sim.run();
    EXPECT_EQ(red, ended(asio::error::timed_out));
    EXPECT_EQ(written, ended({}, 1));
    write("2");
    sim.run();
    EXPECT_EQ(written, ended(asio::error::timed_out));
    write("3");
    read();
    sim.run();
    EXPECT_EQ(written, ended({}, 1));
    EXPECT_EQ(red, ended({}, 3));
    EXPECT_EQ(client.received(), "13");
}

TEST_F(SimulatedStreamTest, FailsEveryOperationInTurnByAPlan) {
    std::vector<std::string> received;
    for (testing::fail_plan plan; plan.again();) {
        SCOPED_TRACE(plan.describe());
        simulated_stream other(sim.executor());
        other.client().accepts_at_most(2);
        other.client().on_operation([&] { return plan.error_if_due(); });
        outcome all;
        const std::string text = "abcdef";
        asio::async_write(other, asio::buffer(text), into(all));
        sim.run();
        EXPECT_EQ(all->first.failed(), plan.reached());
        received.push_back(other.client().received());
    }
    EXPECT_EQ(received, (std::vector<std::string>{"", "ab", "abcd", "abcdef"}));
}

TEST_F(SimulatedStreamTest, ASecondWriteAtOnceIsRefusedAndCounted) {
    client.set_window(0);
    write("first");
    outcome second;
    stream.async_write_some(asio::buffer("second", 6), into(second));
    sim.run();
    EXPECT_EQ(second, ended(asio::error::already_started));
    EXPECT_FALSE(written);
    EXPECT_EQ(client.overlapping_operations(), 1u);
    client.set_window(simulated_client::unlimited);
    sim.run();
    EXPECT_EQ(written, ended({}, 5));
    EXPECT_EQ(client.received(), "first");
}

TEST_F(SimulatedStreamTest, ReadsTheBufferWhenItCompletes) {
    std::string text = "early";
    client.set_window(0);
    stream.async_write_some(asio::buffer(text), into(written));
    sim.run();
    text = "later";
    client.open_window(5);
    sim.run();
    EXPECT_EQ(client.received(), "later");
}

TEST_F(SimulatedStreamTest, ASlotCancelsItsOperationAlone) {
    client.set_window(0);
    asio::cancellation_signal signal;
    const std::string text = "x";
    stream.async_write_some(asio::buffer(text), asio::bind_cancellation_slot(signal.slot(), into(written)));
    read();
    sim.run();
    signal.emit(asio::cancellation_type::total);
    EXPECT_FALSE(written);
    sim.run();
    EXPECT_EQ(written, ended(asio::error::operation_aborted));
    EXPECT_FALSE(red);
    signal.emit(asio::cancellation_type::total);
    client.sends("y");
    sim.run();
    EXPECT_EQ(red, ended({}, 1));
}

TEST_F(SimulatedStreamTest, ClosingEndsWhatIsInFlight) {
    client.set_window(0);
    read();
    write("x");
    EXPECT_FALSE(client.server_finished());
    stream.close();
    sim.run();
    EXPECT_EQ(red, ended(asio::error::operation_aborted));
    EXPECT_EQ(written, ended(asio::error::operation_aborted));
    EXPECT_TRUE(client.server_closed());
    write("y");
    sim.run();
    EXPECT_EQ(written, ended(asio::error::bad_descriptor));
}

TEST_F(SimulatedStreamTest, ShutdownEndsOneDirection) {
    stream.shutdown(asio::socket_base::shutdown_send);
    EXPECT_TRUE(client.server_finished());
    EXPECT_FALSE(client.server_closed());
    client.sends("abc");
    write("x");
    read();
    sim.run();
    EXPECT_EQ(written, ended(asio::error::broken_pipe));
    EXPECT_EQ(red, ended({}, 3));
}

TEST_F(SimulatedStreamTest, MovesWithItsOperations) {
    auto first = std::make_unique<simulated_stream>(std::move(stream));
    first->async_read_some(asio::buffer(bytes), into(red));
    simulated_stream second = std::move(*first);
    first.reset();
    client.sends("abc");
    sim.run();
    EXPECT_EQ(red, ended({}, 3));
}

TEST(SimulationTest, IsDeterministicAndVirtual) {
    const auto run = [] {
        simulation sim;
        std::string log;
        const auto start = sim.clock().now();
        for (int i = 0; i < 3; ++i)
            net::spawn(
                sim.context(),
                [&, i]() -> coro::task<> {
                    for (int j = 0; j < 3; ++j) {
                        co_await coro::wait_for(std::chrono::hours(1 + i));
                        log += static_cast<char>('a' + i);
                        log += std::to_string(std::chrono::ceil<std::chrono::hours>(sim.clock().now() - start).count());
                    }
                },
                asio::detached);
        sim.run();
        return log;
    };
    EXPECT_EQ(run(), "a1b2a2c3a3b4c6b6c9");
    EXPECT_EQ(run(), run());
}

TEST(SimulationTest, AdvanceStopsAtItsTime) {
    simulation sim;
    int ticks = 0;
    net::spawn(
        sim.context(),
        [&]() -> coro::task<> {
            for (;;) {
                co_await coro::wait_for(1s);
                ++ticks;
            }
        },
        asio::detached);
    sim.advance(3500ms);
    EXPECT_EQ(ticks, 3);
    sim.advance(500ms);
    EXPECT_EQ(ticks, 4);
    sim.limit_steps(1000);
    EXPECT_THROW(sim.run(), std::runtime_error);
}

TEST(SimulationTest, DestroysWhatIsPendingUncalled) {
    auto alive = std::make_shared<int>();
    {
        simulation sim;
        auto stream = std::make_shared<simulated_stream>(sim.executor());
        auto bytes = std::make_shared<std::array<char, 4>>();
        // The handler owns its stream: a cycle that the context breaks.
        stream->async_read_some(asio::buffer(*bytes),
                                [alive, stream, bytes](error_code, std::size_t) { ADD_FAILURE(); });
        net::spawn(
            sim.context(),
            [alive]() -> coro::task<> {
                co_await coro::wait_for(1h);
                ADD_FAILURE();
            },
            asio::detached);
        sim.run_until_idle();
    }
    EXPECT_EQ(alive.use_count(), 1);
}

} // namespace
} // namespace sluice
