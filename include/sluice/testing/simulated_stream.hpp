// simulated_stream: an Asio stream in memory, the server's end; its other end is a simulated_client that a test
// scripts.
//
//     testing::simulated_stream stream(simulation.executor());
//     testing::simulated_client client = stream.client();
//     client.sends("GET / HTTP/1.1\r\n\r\n");
//     client.accepts_at_most(7);
//     serve(std::move(stream));
//     simulation.run();
//     EXPECT_EQ(client.received(), ...);
#pragma once

#include <sluice/testing/simulated_client.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/socket_base.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace sluice::testing {

namespace detail {

using transfer_handler = boost::asio::any_completion_handler<void(boost::system::error_code, std::size_t)>;
using wait_handler = boost::asio::any_completion_handler<void(boost::system::error_code)>;

void start_read(connection& link, std::vector<boost::asio::mutable_buffer> buffers, transfer_handler handler);
void start_write(connection& link, std::vector<boost::asio::const_buffer> buffers, transfer_handler handler);
void start_wait(connection& link, boost::asio::socket_base::wait_type what, wait_handler handler);

template <class Buffer, class Buffers>
std::vector<Buffer> list_of(const Buffers& buffers) {
    return {boost::asio::buffer_sequence_begin(buffers), boost::asio::buffer_sequence_end(buffers)};
}

} // namespace detail

/// AsyncReadStream and AsyncWriteStream; move-only. Every operation completes by way of the executor, never inside its
/// initiation, and can be cancelled by its slot with any type. Buffers are read and filled when the operation
/// completes, not when it starts.
///
/// In flight together: one read, one write and one wait. A second read or write fails at once with
/// `already_started`, leaves the first alone, and is counted (simulated_client::overlapping_operations).
/// Errors: `eof` when the client has closed and what it sent is read; `connection_reset` when it has reset;
/// `broken_pipe` when it has closed both ways, and after shutdown; `bad_descriptor` after close; what a script says.
/// Closing or destroying it ends its operations with operation_aborted. Where the execution context is destroyed first,
/// they are destroyed, uncalled. One thread, or one strand.
class simulated_stream {
public:
    using executor_type = boost::asio::any_io_executor;

    explicit simulated_stream(executor_type executor);
    simulated_stream(simulated_stream&&) noexcept = default;
    simulated_stream& operator=(simulated_stream&& other) noexcept;
    ~simulated_stream();

    executor_type get_executor() const noexcept;

    /// The other end; valid also when the stream is gone.
    simulated_client client() const noexcept { return simulated_client(link_); }

    /// Signature: void(error_code, std::size_t). An empty sequence completes with 0.
    template <class MutableBufferSequence, class Token>
    auto async_read_some(const MutableBufferSequence& buffers, Token&& token) {
        return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
            initiation<read>{this}, token, detail::list_of<boost::asio::mutable_buffer>(buffers));
    }

    /// Signature: void(error_code, std::size_t). An empty sequence completes with 0.
    template <class ConstBufferSequence, class Token>
    auto async_write_some(const ConstBufferSequence& buffers, Token&& token) {
        return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
            initiation<write>{this}, token, detail::list_of<boost::asio::const_buffer>(buffers));
    }

    /// Signature: void(error_code). As a socket's: wait_read completes when a read would, wait_write when a write
    /// would, wait_error when the client has reset the connection.
    template <class Token>
    auto async_wait(boost::asio::socket_base::wait_type what, Token&& token) {
        return boost::asio::async_initiate<Token, void(boost::system::error_code)>(initiation<wait>{this}, token, what);
    }

    bool is_open() const noexcept;
    /// Ends the operations in flight with operation_aborted.
    void cancel();
    void close();
    void close(boost::system::error_code& code);
    void shutdown(boost::asio::socket_base::shutdown_type what);
    void shutdown(boost::asio::socket_base::shutdown_type what, boost::system::error_code& code);

    /// For boost::beast::close_socket.
    friend void beast_close_socket(simulated_stream& stream) { stream.close(); }

private:
    struct read {
        static void start(detail::connection& link, std::vector<boost::asio::mutable_buffer> buffers,
                          detail::transfer_handler handler) {
            detail::start_read(link, std::move(buffers), std::move(handler));
        }
    };
    struct write {
        static void start(detail::connection& link, std::vector<boost::asio::const_buffer> buffers,
                          detail::transfer_handler handler) {
            detail::start_write(link, std::move(buffers), std::move(handler));
        }
    };
    struct wait {
        static void start(detail::connection& link, boost::asio::socket_base::wait_type what,
                          detail::wait_handler handler) {
            detail::start_wait(link, what, std::move(handler));
        }
    };
    template <class Operation>
    struct initiation {
        using executor_type = boost::asio::any_io_executor;
        simulated_stream* stream;
        executor_type get_executor() const noexcept { return stream->get_executor(); }
        template <class Handler, class Argument>
        void operator()(Handler&& handler, Argument argument) const {
            Operation::start(*stream->link_, std::move(argument), std::forward<Handler>(handler));
        }
    };

    std::shared_ptr<detail::connection> link_;
};

} // namespace sluice::testing
