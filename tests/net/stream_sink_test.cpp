#include <sluice/net/spawn.hpp>
#include <sluice/net/stream_sink.hpp>
#include <sluice/output/output.hpp>
#include <sluice/output/shared_bytes.hpp>
#include <sluice/testing/fail_plan.hpp>
#include <sluice/testing/simulated_stream.hpp>
#include <sluice/testing/simulation.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sluice {
namespace {

namespace asio = boost::asio;
using testing::simulated_client;
using testing::simulated_stream;
using testing::simulation;

struct listener final : write_listener {
    void written(std::error_code error) noexcept override {
        EXPECT_FALSE(inside_write);
        outcome = error;
    }
    std::optional<std::error_code> outcome;
    bool inside_write = false;
};

batch pieces(const std::vector<std::string>& texts) {
    batch made;
    for (const std::string& text : texts)
        made.add(shared_bytes(text));
    return made;
}

class StreamSinkTest : public ::testing::Test {
protected:
    sink::progress write(batch bytes, bool last = false) {
        heard.outcome.reset();
        heard.inside_write = true;
        const sink::progress progress = to.write(std::move(bytes), last, heard, error);
        heard.inside_write = false;
        return progress;
    }

    simulation sim;
    simulated_stream stream{sim.executor()};
    simulated_client client = stream.client();
    net::stream_sink<simulated_stream> to{stream};
    listener heard;
    std::error_code error;
};

TEST_F(StreamSinkTest, WritesAllPiecesWhateverTheStreamTakes) {
    std::string all;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < 40; ++i) {
        texts.push_back(std::string(i % 5, static_cast<char>('a' + i % 26)));
        all += texts.back();
    }
    std::size_t written = 0;
    for (std::size_t most = 1; most <= 7; ++most) {
        client.accepts_at_most(most);
        EXPECT_EQ(write(pieces(texts)), sink::progress::pending);
        sim.run();
        EXPECT_EQ(heard.outcome, std::error_code());
        EXPECT_EQ(client.take_received(), all) << most;
        written += all.size();
        EXPECT_EQ(to.bytes_accepted(), written);
    }
    EXPECT_EQ(client.overlapping_operations(), 0u);
}

TEST_F(StreamSinkTest, GathersPiecesIntoOneWrite) {
    write(pieces({"ab", "c", "def"}));
    sim.run();
    EXPECT_EQ(client.write_sizes(), (std::vector<std::size_t>{6}));
}

TEST_F(StreamSinkTest, AnEmptyLastBatchTouchesNoStream) {
    EXPECT_EQ(write(batch(), true), sink::progress::done);
    EXPECT_FALSE(error);
    sim.run();
    EXPECT_EQ(client.writes_started(), 0u);
    EXPECT_FALSE(heard.outcome);
}

TEST_F(StreamSinkTest, AFailedWritePoisonsIt) {
    for (testing::fail_plan plan; plan.again();) {
        simulated_stream broken(sim.executor());
        broken.client().accepts_at_most(2);
        broken.client().on_operation(
            [&] { return plan.error_if_due(std::make_error_code(std::errc::connection_reset)); });
        net::stream_sink<simulated_stream> sink(broken);
        listener told;
        std::error_code refused;
        sink.write(pieces({"abcdef"}), false, told, refused);
        sim.run();
        ASSERT_TRUE(told.outcome);
        const bool failed = plan.reached(); // by the first write
        EXPECT_EQ(static_cast<bool>(*told.outcome), failed);
        const std::size_t started = broken.client().writes_started();
        const auto progress = sink.write(pieces({"rest"}), true, told, refused);
        if (failed) {
            EXPECT_EQ(*told.outcome, std::errc::connection_reset);
            EXPECT_EQ(progress, sink::progress::done);
            EXPECT_EQ(refused, std::errc::connection_reset);
            sim.run();
            EXPECT_EQ(broken.client().writes_started(), started);
        } else {
            EXPECT_EQ(progress, sink::progress::pending);
            sim.run();
        }
    }
}

// CAN 89: after part of a write was taken and the rest cancelled, whatever is sent later corrupts the stream.
TEST_F(StreamSinkTest, ACancelledWriteRefusesWhatComesLater) {
    client.set_window(300'000);
    write(pieces({std::string(1'000'000, 'x')}));
    sim.run();
    EXPECT_FALSE(heard.outcome);
    EXPECT_EQ(to.bytes_accepted(), 300'000u);
    to.cancel();
    EXPECT_FALSE(heard.outcome);
    sim.run();
    ASSERT_TRUE(heard.outcome);
    EXPECT_EQ(*heard.outcome, std::error_code(boost::system::error_code(asio::error::operation_aborted)));
    client.set_window(simulated_client::unlimited);
    EXPECT_EQ(write(pieces({"rest"}), true), sink::progress::done);
    EXPECT_TRUE(error);
    sim.run();
    EXPECT_EQ(client.bytes_received(), 300'000u);
    stream.close();
    EXPECT_TRUE(client.server_closed());
}

TEST_F(StreamSinkTest, ASecondWriteAtOnceIsRefused) {
    client.set_window(0);
    write(pieces({"first"}));
    EXPECT_EQ(write(pieces({"second"})), sink::progress::done);
    EXPECT_EQ(error, std::errc::operation_in_progress);
    client.set_window(simulated_client::unlimited);
    sim.run();
    EXPECT_EQ(client.overlapping_operations(), 0u);
    EXPECT_EQ(client.received(), "first");
}

TEST_F(StreamSinkTest, AbortRefusesWhatComesLater) {
    write(pieces({"a"}));
    sim.run();
    to.abort();
    EXPECT_EQ(write(pieces({"b"}), true), sink::progress::done);
    EXPECT_TRUE(error);
}

// CAN 90: the write is cancelled and everything freed while the stream still has the buffers; the loop runs on.
TEST_F(StreamSinkTest, TheBatchLivesAsLongAsTheStreamReadsIt) {
    for (const bool while_it_runs : {false, true}) {
        simulated_stream slow(sim.executor());
        slow.client().set_window(0);
        auto own = std::make_unique<chunk_pool>(64);
        {
            net::stream_sink<simulated_stream> sink(slow);
            auto told = std::make_unique<listener>();
            chunk* filled = own->acquire();
            filled->size = 5;
            std::copy_n("hello", 5, filled->begin());
            filled->data = filled->begin();
            batch bytes;
            bytes.add(filled);
            std::error_code refused;
            sink.write(std::move(bytes), false, *told, refused);
            if (while_it_runs)
                sim.run();
            sink.detach();
            told.reset();
        }
        EXPECT_NE(own->bytes_in_use(), 0u);
        slow.client().set_window(simulated_client::unlimited);
        sim.run();
        EXPECT_EQ(own->bytes_in_use(), 0u);
        EXPECT_EQ(slow.client().received(), "");
    }
}

TEST_F(StreamSinkTest, OnARealSocketEverythingMayBeFreedInTheMiddleOfAWrite) {
    asio::io_context io(1);
    asio::ip::tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
    asio::ip::tcp::socket peer(io);
    peer.connect(acceptor.local_endpoint());
    {
        asio::ip::tcp::socket socket = acceptor.accept();
        auto sink = std::make_unique<net::stream_sink<asio::ip::tcp::socket>>(socket);
        auto told = std::make_unique<listener>();
        std::error_code refused;
        EXPECT_EQ(sink->write(pieces({std::string(64 << 20, 'x')}), true, *told, refused), sink::progress::pending);
        io.poll();
        EXPECT_FALSE(told->outcome);
        EXPECT_GT(sink->bytes_accepted(), 0u);
        sink.reset();
        told.reset();
    }
    io.restart();
    io.run();
}

TEST_F(StreamSinkTest, AContextThatGoesTakesTheWriteWithIt) {
    listener told;
    std::error_code refused;
    auto io = std::make_unique<asio::io_context>(1);
    auto slow = std::make_unique<simulated_stream>(io->get_executor());
    slow->client().set_window(0);
    net::stream_sink<simulated_stream> sink(*slow);
    sink.write(pieces({"abc"}), false, told, refused);
    io.reset();
    sink.cancel();
    sink.detach();
    EXPECT_FALSE(told.outcome);
}

// An output on the stream: what the layers above do.
coro::task<> render(output& out, int count) {
    for (int i = 0; i < count; ++i) {
        out.append("0123456789", 10);
        co_await detail::written(out);
    }
    co_await detail::drained(out, detail::wait_for::finish);
}

coro::task<> render_to(simulated_stream& stream, chunk_pool& pool, int count, std::uint64_t& suspensions) {
    net::stream_sink<simulated_stream> sink(stream);
    output out(sink, output_options().pool(&pool).high_water(32));
    coro::environment* env = nullptr;
    struct reader {
        using chain_awaiter = void;
        coro::environment*& to;
        bool await_ready() const noexcept { return false; }
        bool await_suspend(std::coroutine_handle<coro::task<>::promise_type> self) noexcept {
            to = &self.promise().environment();
            return false;
        }
        void await_resume() const noexcept {}
    } reads{env};
    co_await reads;
    out.attach(*env);
    auto work = render(out, count);
    co_await std::move(work);
    suspensions = out.suspensions();
    out.detach();
}

TEST_F(StreamSinkTest, AnOutputWaitsForTheStreamAndMissesNothing) {
    chunk_pool pool(16);
    for (std::size_t most = 1; most <= 7; ++most) {
        client.accepts_at_most(most);
        std::uint64_t suspensions = 0;
        std::exception_ptr thrown;
        net::spawn(sim.context(), render_to(stream, pool, 100, suspensions),
                   [&](std::exception_ptr error_thrown) { thrown = error_thrown; });
        sim.run();
        EXPECT_FALSE(thrown);
        const std::string received = client.take_received();
        EXPECT_EQ(received.size(), 1000u);
        EXPECT_EQ(received.substr(980), "01234567890123456789");
        EXPECT_GT(suspensions, 0u);
        EXPECT_EQ(pool.bytes_in_use(), 0u);
    }
    EXPECT_EQ(client.overlapping_operations(), 0u);
}

TEST_F(StreamSinkTest, CancellingARenderAtEveryStepSendsNothingMore) {
    chunk_pool pool(16);
    for (testing::fail_plan plan; plan.again();) {
        SCOPED_TRACE(plan.describe());
        simulated_stream slow(sim.executor());
        slow.client().accepts_at_most(7);
        asio::cancellation_signal signal;
        std::uint64_t suspensions = 0;
        std::optional<std::exception_ptr> ended;
        net::spawn(sim.context(), render_to(slow, pool, 8, suspensions),
                   asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr thrown) { ended = thrown; }));
        std::size_t at_stop = 0;
        while (sim.run_one()) {
            plan.act_if_due([&] {
                signal.emit(asio::cancellation_type::terminal);
                at_stop = slow.client().received().size();
            });
        }
        ASSERT_TRUE(ended);
        if (!plan.reached()) {
            EXPECT_FALSE(*ended);
            EXPECT_EQ(slow.client().received().size(), 80u);
        } else if (*ended) {
            EXPECT_LE(slow.client().received().size(), at_stop + 7); // what the stream was taking already
        }
        EXPECT_EQ(pool.bytes_in_use(), 0u);
    }
}

} // namespace
} // namespace sluice
