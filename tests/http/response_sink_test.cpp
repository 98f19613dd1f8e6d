#include "response_reader.hpp"
#include <sluice/http/response_sink.hpp>
#include <sluice/output/string_sink.hpp>
#include <sluice/sluice.hpp>
#include <sluice/testing/holding_sink.hpp>
#include <sluice/testing/manual_clock.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <system_error>

namespace sluice::http::test {
namespace {

class listening final : public write_listener {
public:
    void written(std::error_code error) noexcept override { outcome = error; }
    std::optional<std::error_code> outcome;
};

batch bytes_of(std::string text) {
    batch made;
    made.add(shared_bytes(std::move(text)));
    return made;
}

constexpr request_traits get(false, 11, true);

struct sink_and_string {
    explicit sink_and_string(response_head with = {}, const request_traits& request = get)
        : head(std::move(with)), sink(to, request, head) {}

    std::error_code write(std::string text, bool last) {
        std::error_code error;
        sink.write(bytes_of(std::move(text)), last, listener, error);
        return error;
    }

    std::string received;
    string_sink to{received};
    response_head head;
    response_sink sink;
    listening listener;
};

TEST(ResponseSinkTest, NothingIsSentOrCommittedBeforeTheFirstBytes) {
    sink_and_string x;
    EXPECT_FALSE(x.sink.committed());
    EXPECT_FALSE(x.write("", false));
    x.head.set("X", "1");
    EXPECT_EQ(x.received, "");
    EXPECT_FALSE(x.write("12", false));
    EXPECT_TRUE(x.sink.committed());
    EXPECT_TRUE(x.head.sent());
    EXPECT_EQ(x.received, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX: 1\r\nTransfer-Encoding: "
                          "chunked\r\n\r\n2\r\n12\r\n");
}

TEST(ResponseSinkTest, AnEmptyWriteIsNeverATerminator) {
    sink_and_string x;
    x.write("1", false);
    const std::string before = x.received;
    EXPECT_FALSE(x.write("", false));
    EXPECT_EQ(x.received, before);
    EXPECT_FALSE(x.write("2", true));
    EXPECT_EQ(x.received, before + "1\r\n2\r\n0\r\n\r\n");
}

TEST(ResponseSinkTest, AnAbortedResponseGetsNoTerminator) {
    for (const bool committed : {false, true}) {
        sink_and_string x;
        if (committed)
            x.write("1", false);
        const std::string before = x.received;
        x.sink.abort();
        EXPECT_TRUE(x.write("2", true));
        EXPECT_TRUE(x.write("", true));
        EXPECT_EQ(x.received, before);
        EXPECT_EQ(x.sink.committed(), committed);
    }
}

TEST(ResponseSinkTest, ChunksOfEverySizeAreFramedInTheRoomThatTheyKeep) {
    for (const std::size_t size : {1u, 9u, 15u, 16u, 17u, 255u, 256u, 4095u, 4096u, 65535u, 65536u}) {
        std::string received;
        string_sink to(received);
        response_head head;
        response_sink sink(to, get, head);
        chunk_pool pool(size);
        listening listener;
        for (int i = 0; i < 3; ++i) {
            chunk* full = pool.acquire();
            full->data = full->begin();
            full->size = size;
            std::fill(full->begin(), full->end(), static_cast<char>('a' + i));
            batch bytes;
            bytes.add(full);
            std::error_code error;
            sink.write(std::move(bytes), i == 2, listener, error);
            ASSERT_FALSE(error);
        }
        const read_response got = read(received);
        EXPECT_TRUE(got.complete && !got.malformed);
        EXPECT_EQ(got.size, received.size());
        EXPECT_EQ(got.chunks, (std::vector<std::size_t>{size, size, size, 0}));
        EXPECT_EQ(got.body, std::string(size, 'a') + std::string(size, 'b') + std::string(size, 'c'));
        EXPECT_EQ(pool.bytes_in_use(), 0u);
    }
}

TEST(ResponseSinkTest, SplicedBytesAreFramedAsWell) {
    sink_and_string x;
    batch bytes = bytes_of("abc");
    bytes.add(shared_bytes(std::string("defg")));
    std::error_code error;
    x.sink.write(std::move(bytes), false, x.listener, error);
    x.write("h", true);
    EXPECT_TRUE(x.received.ends_with("\r\n\r\n7\r\nabcdefg\r\n1\r\nh\r\n0\r\n\r\n"));
}

TEST(ResponseSinkTest, ABodyOfAStatusThatHasNoneIsRefusedWithNothingSent) {
    for (const unsigned status : {100u, 204u, 205u, 304u}) {
        sink_and_string x{response_head(status)};
        EXPECT_EQ(x.write("1", true), std::errc::protocol_error);
        EXPECT_TRUE(x.sink.refused());
        EXPECT_FALSE(x.sink.committed());
        EXPECT_EQ(x.received, "");
    }
}

TEST(ResponseSinkTest, AStatusThatIsNotKnownHasNoReason) {
    sink_and_string x{response_head(299)};
    x.write("1", true);
    EXPECT_TRUE(x.received.starts_with("HTTP/1.1 299 \r\n"));
}

TEST(ResponseSinkTest, OtherConnectionOptionsStay) {
    sink_and_string upgrade{response_head(101).set("Connection", "Upgrade").set("Upgrade", "websocket")};
    upgrade.write("", true);
    EXPECT_EQ(upgrade.received,
              "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
    sink_and_string old{response_head().add("Connection", "a, ,").add("connection", "keep-alive,b"),
                        request_traits(false, 10, true)};
    old.write("1", true);
    EXPECT_EQ(read(old.received).fields["Connection"], "a, b, keep-alive");
    EXPECT_TRUE(old.sink.keep_alive());
}

TEST(ResponseSinkTest, AFailureOfTheStreamIsKeptAndPassedOn) {
    testing::manual_clock clock;
    testing::holding_sink to(clock);
    response_head head;
    response_sink sink(to, get, head);
    listening listener;
    std::error_code error;
    to.fail_write(0, std::make_error_code(std::errc::broken_pipe), 3);
    EXPECT_EQ(sink.write(bytes_of("123"), false, listener, error), sink::progress::pending);
    to.accept();
    clock.run();
    ASSERT_TRUE(listener.outcome);
    EXPECT_EQ(*listener.outcome, std::errc::broken_pipe);
    EXPECT_EQ(sink.failure(), std::errc::broken_pipe);
    EXPECT_EQ(sink.write(bytes_of("4"), true, listener, error), sink::progress::done);
    EXPECT_EQ(error, std::errc::broken_pipe);
    EXPECT_EQ(to.received(), "HTT");
    EXPECT_EQ(to.misuse(), "");
}

} // namespace
} // namespace sluice::http::test
