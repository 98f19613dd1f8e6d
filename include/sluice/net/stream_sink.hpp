// stream_sink: a sink over any Asio AsyncWriteStream: a socket, a TLS stream, a test's simulated one.
#pragma once

#include <sluice/net/detail/pool_allocator.hpp>
#include <sluice/output/batch.hpp>
#include <sluice/output/sink.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>

namespace sluice::net {

namespace detail {

class write_operation;

/// Refers to an array; a ConstBufferSequence.
class buffer_window {
public:
    buffer_window(const boost::asio::const_buffer* first, std::size_t count) noexcept : first_(first), count_(count) {}
    const boost::asio::const_buffer* begin() const noexcept { return first_; }
    const boost::asio::const_buffer* end() const noexcept { return first_ + count_; }

private:
    const boost::asio::const_buffer* first_;
    std::size_t count_;
};

/// The handler of each step of a write; owns the operation, and with it the batch.
class write_handler {
public:
    using executor_type = boost::asio::any_io_executor;
    using cancellation_slot_type = boost::asio::cancellation_slot;
    using allocator_type = pool_allocator<void>;

    explicit write_handler(write_operation& operation) noexcept;
    write_handler(write_handler&& other) noexcept : operation_(std::exchange(other.operation_, nullptr)) {}
    write_handler& operator=(write_handler&& other) noexcept {
        std::swap(operation_, other.operation_);
        return *this;
    }
    ~write_handler();

    executor_type get_executor() const noexcept;
    cancellation_slot_type get_cancellation_slot() const noexcept;
    allocator_type get_allocator() const noexcept { return {}; }
    void operator()(boost::system::error_code code, std::size_t size);

private:
    write_operation* operation_;
};

/// What does not depend on the stream's type.
class stream_sink_base : public sink {
public:
    ~stream_sink_base() override;

    progress write(batch&& bytes, bool last, write_listener& listener, std::error_code& error) noexcept final;
    bool synchronous() const noexcept final { return false; }
    void cancel() noexcept final;
    void detach() noexcept final;
    void abort() noexcept final;

    /// Bytes that the stream has taken so far, those of a write in flight included.
    std::uint64_t bytes_accepted() const noexcept { return accepted_; }
    /// Why nothing more can be written; none as long as it can.
    std::error_code failure() const noexcept { return failure_; }

protected:
    explicit stream_sink_base(boost::asio::any_io_executor executor) noexcept;

private:
    friend class write_operation;
    /// Starts a write of some of the bytes.
    virtual void write_some(const buffer_window& bytes, write_handler&& handler) = 0;

    void ended(std::error_code error) noexcept;

    boost::asio::any_io_executor executor_;
    write_operation* pending_ = nullptr; // owned by its handler
    write_listener* listener_ = nullptr;
    std::uint64_t accepted_ = 0;
    std::error_code failure_;
    bool starting_ = false; // inside write
};

} // namespace detail

/// Writes each batch with as many async_write_some as it takes, each of up to 16 pieces.
///
/// Completes by `written` on `executor`, which is the chain's: the handlers of the stream's operations are bound to it.
/// An empty batch, which only comes last, completes at once and touches no stream.
/// In flight together: one write, from this sink alone; reads are free.
/// Lifetimes: `stream` outlives the sink, or the sink is detached before it goes. The batch belongs to the handler of
/// the operation that reads it: the sink, and the whole render, may be destroyed while a write is pending; the write is
/// cancelled then, and not reported.
/// Errors: a write that fails or is cancelled poisons the sink, since nobody knows how much the peer has: `failure()`
/// says why, further writes are refused with it, and the stream is only good for being closed. So is it after `abort`.
/// Cancellation: `cancel` emits `terminal` into the operation's slot, in the calling context: the chain's.
template <class Stream>
class stream_sink final : public detail::stream_sink_base {
public:
    explicit stream_sink(Stream& stream) : stream_sink(stream, stream.get_executor()) {}
    /// Where the chain does not run on the stream's own executor.
    stream_sink(Stream& stream, boost::asio::any_io_executor executor)
        : stream_sink_base(std::move(executor)), stream_(stream) {}

    Stream& stream() const noexcept { return stream_; }

private:
    void write_some(const detail::buffer_window& bytes, detail::write_handler&& handler) override {
        stream_.async_write_some(bytes, std::move(handler));
    }

    Stream& stream_;
};

} // namespace sluice::net
