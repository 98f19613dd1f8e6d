// The state that a simulated_stream and its clients share.
#pragma once

#include <sluice/testing/simulated_stream.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/socket_base.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace sluice::testing::detail {

using boost::system::error_code;

// An error of the system, as Asio's own operations report it.
inline error_code as_reported(const std::error_code& error) {
    if (error.category() == std::generic_category() || error.category() == std::system_category())
        return error_code(error.value(), boost::system::system_category());
    return error_code(error);
}

// An operation in flight: its handler, and what keeps its executors at work. Each kind has one place in a connection.
template <class Handler>
class pending_operation {
public:
    explicit operator bool() const noexcept { return handler_.has_value(); }
    void hold(Handler handler, const boost::asio::any_io_executor& io);
    /// Takes it out of its place and calls it, on its own executor.
    template <class... Results>
    void complete(Results... results);
    void drop() noexcept;

private:
    std::optional<Handler> handler_;
    boost::asio::any_io_executor io_work_;
    boost::asio::any_completion_executor handler_work_;
};

class connection : public std::enable_shared_from_this<connection> {
public:
    explicit connection(boost::asio::any_io_executor on);
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;
    ~connection();

    void read(std::vector<boost::asio::mutable_buffer> buffers, transfer_handler handler);
    void write(std::vector<boost::asio::const_buffer> buffers, transfer_handler handler);
    void wait(boost::asio::socket_base::wait_type what, wait_handler handler);
    void cancel();
    void close();

    /// Something has changed: looks again at what is in flight, from a post.
    void wake();
    /// The execution context is being destroyed.
    void drop() noexcept;

    boost::asio::any_io_executor executor;

    // The client's script.
    std::vector<std::size_t> pattern;
    std::size_t turn = 0;
    std::size_t window = simulated_client::unlimited;
    std::uint64_t closes_after = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t resets_after = std::numeric_limits<std::uint64_t>::max();
    std::deque<std::string> inbound;
    bool client_finished = false;
    bool client_closed = false;
    bool reset = false;
    std::size_t failing_write = simulated_client::unlimited;
    std::size_t failing_read = simulated_client::unlimited;
    error_code write_error;
    error_code read_error;
    std::function<std::error_code()> ask;

    // What the client has seen.
    std::string received;
    std::uint64_t bytes_received = 0;
    std::vector<std::size_t> write_sizes;
    std::size_t writes_started = 0;
    std::size_t reads_started = 0;
    std::size_t overlapping = 0;
    bool shut_send = false;
    bool shut_receive = false;
    bool closed = false;
    bool registered = false; // with the execution context

    pending_operation<transfer_handler> reading;
    pending_operation<transfer_handler> writing;
    pending_operation<wait_handler> waiting;

private:
    // Says how an operation ends: with a code, or, without one, by going on.
    struct outcome {
        bool ends = false;
        error_code code;
    };
    enum class kind { read, write, wait };

    error_code begin(std::size_t& failing, const error_code& planned) const;
    outcome read_outcome() const;
    outcome write_outcome() const;
    outcome wait_outcome() const;
    void look();
    void take_read();
    void take_write();
    void connect_slot(const boost::asio::cancellation_slot& slot, kind what);
    void cancelled(kind what);
    void refuse(transfer_handler handler);

    std::vector<boost::asio::mutable_buffer> read_buffers_;
    std::vector<boost::asio::const_buffer> write_buffers_;
    boost::asio::socket_base::wait_type wait_type_{};
    error_code read_fails_; // ends the operation in flight
    error_code write_fails_;
    error_code wait_fails_;
    bool woken_ = false;
};

} // namespace sluice::testing::detail
