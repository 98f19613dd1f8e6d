// simulated_client: the other end of a simulated_stream: what a test makes the peer do, and what it has seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace sluice::testing {

class simulated_stream;

namespace detail {
class connection;
}

/// A handle: copies are the same client. Nothing here calls a handler: what an operation gets by it, it gets by way of
/// its executor.
class simulated_client {
public:
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    // ---- what it takes -------------------------------------------------------------------------------------------

    /// Each write is taken in at most this many bytes. Default: unlimited.
    void accepts_at_most(std::size_t bytes);
    /// Writes are taken in at most these many bytes, in turn, again and again.
    void accepts_in_turn(std::vector<std::size_t> pattern);
    /// The window: how many bytes it takes before a write waits. Default: unlimited. 0 stalls.
    void set_window(std::size_t bytes);
    /// Opens the window by this much; pending writes go on.
    void open_window(std::size_t bytes);
    /// What is left of the window.
    std::size_t window() const noexcept;

    // ---- what it sends -------------------------------------------------------------------------------------------

    /// A read gets at most what one call sent.
    void sends(std::string_view bytes);
    /// As many calls of sends as it takes, with at most `size` bytes each.
    void sends_in_pieces(std::string_view bytes, std::size_t size);
    /// Sends the end of its stream: reads end with eof. It still receives, as a half-closed peer does.
    void finishes();

    // ---- how it goes ---------------------------------------------------------------------------------------------

    /// Closes both ways: reads end with eof, writes with broken_pipe.
    void closes();
    /// Everything in flight, and everything later, ends with connection_reset.
    void resets();
    /// As soon as it has received this many bytes in all: the write that brings the last of them is taken up to there.
    void closes_after(std::size_t bytes);
    void resets_after(std::size_t bytes);

    // ---- faults --------------------------------------------------------------------------------------------------

    /// The n-th write from now, 0 the next, fails and nothing of it is taken.
    void fail_write(std::size_t n, std::error_code error);
    void fail_read(std::size_t n, std::error_code error);
    /// Asked once for each read and write that is started, before anything else; an error fails it. See fail_plan.
    void on_operation(std::function<std::error_code()> ask);

    // ---- what it has seen ----------------------------------------------------------------------------------------

    const std::string& received() const noexcept;
    /// Takes what has been received out.
    std::string take_received();
    /// Bytes received in all, those taken out too.
    std::uint64_t bytes_received() const noexcept;
    /// How many bytes each completed write was taken in.
    const std::vector<std::size_t>& write_sizes() const noexcept;
    /// Writes and reads started.
    std::size_t writes_started() const noexcept;
    std::size_t reads_started() const noexcept;
    /// What has been sent and not read yet.
    std::size_t unread() const noexcept;
    /// A write is waiting, for the window or for its turn.
    bool write_pending() const noexcept;
    bool read_pending() const noexcept;
    /// Reads or writes that were started while one of the kind was in flight: always a defect of the server.
    std::size_t overlapping_operations() const noexcept;
    /// The server has ended its stream: by shutdown, or by closing or destroying it.
    bool server_finished() const noexcept;
    bool server_closed() const noexcept;

private:
    friend class simulated_stream;
    explicit simulated_client(std::shared_ptr<detail::connection> link) noexcept : link_(std::move(link)) {}

    std::shared_ptr<detail::connection> link_;
};

} // namespace sluice::testing
