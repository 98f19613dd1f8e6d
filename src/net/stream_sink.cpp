#include <sluice/coro/frame_pool.hpp>
#include <sluice/net/stream_sink.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <array>
#include <new>

namespace sluice::net::detail {

// One write of a batch. The handler of the step in flight owns it; the sink, while it is interested, knows it.
class write_operation : public coro::pooled_frame {
public:
    write_operation(stream_sink_base& sink, batch&& bytes) noexcept
        : sink_(&sink), executor_(sink.executor_), batch_(std::move(bytes)), next_(batch_.begin()) {}

    boost::asio::any_io_executor executor() const noexcept { return executor_; }
    boost::asio::cancellation_slot slot() noexcept { return signal_.slot(); }

    /// Starts the next step. Where that throws the handler, and so the operation, is gone.
    void step() {
        fill();
        sink_->write_some(buffer_window(pieces_.data(), count_), write_handler(*this));
    }

    /// The sink wants to hear no more.
    void leave() noexcept {
        sink_->pending_ = nullptr;
        sink_ = nullptr;
    }
    void cancel() noexcept { signal_.emit(boost::asio::cancellation_type::terminal); }

    void stepped(boost::system::error_code code, std::size_t size) noexcept {
        stream_sink_base* const sink = sink_;
        if (sink == nullptr) {
            delete this;
            return;
        }
        sink->accepted_ += size;
        consume(size);
        if (!code && count_ != 0 && sink->failure_)
            code = boost::asio::error::operation_aborted; // cancelled between two steps
        if (!code && count_ != 0) {
            try {
                step();
                return;
            } catch (...) {
                sink->ended(std::make_error_code(std::errc::not_enough_memory));
                return;
            }
        }
        delete this;
        sink->pending_ = nullptr;
        sink->ended(code);
    }

    void dropped() noexcept {
        if (sink_ != nullptr)
            sink_->pending_ = nullptr;
        delete this;
    }

private:
    static constexpr std::size_t most_pieces = 16;

    void fill() noexcept {
        if (count_ == 0)
            first_ = 0;
        else if (first_ != 0)
            std::copy(&pieces_[first_], &pieces_[first_ + count_], pieces_.data());
        first_ = 0;
        for (; count_ < most_pieces && next_ != batch_.end(); ++next_)
            if (const auto piece = *next_; !piece.empty())
                pieces_[count_++] = boost::asio::const_buffer(piece.data(), piece.size());
    }

    void consume(std::size_t size) noexcept {
        while (count_ != 0 && size >= pieces_[first_].size()) {
            size -= pieces_[first_].size();
            ++first_;
            --count_;
        }
        if (count_ != 0)
            pieces_[first_] += size;
        fill();
    }

    stream_sink_base* sink_;
    boost::asio::any_io_executor executor_;
    boost::asio::cancellation_signal signal_;
    const batch batch_;
    batch::iterator next_; // the first piece that is not among pieces_
    std::array<boost::asio::const_buffer, most_pieces> pieces_;
    std::size_t first_ = 0;
    std::size_t count_ = 0;
};

write_handler::write_handler(write_operation& operation) noexcept : operation_(&operation) {}

write_handler::~write_handler() {
    if (operation_ != nullptr)
        operation_->dropped();
}

write_handler::executor_type write_handler::get_executor() const noexcept {
    return operation_->executor();
}

write_handler::cancellation_slot_type write_handler::get_cancellation_slot() const noexcept {
    return operation_->slot();
}

void write_handler::operator()(boost::system::error_code code, std::size_t size) {
    std::exchange(operation_, nullptr)->stepped(code, size);
}

stream_sink_base::stream_sink_base(boost::asio::any_io_executor executor) noexcept : executor_(std::move(executor)) {}

stream_sink_base::~stream_sink_base() {
    detach();
}

sink::progress stream_sink_base::write(batch&& bytes, bool, write_listener& listener, std::error_code& error) noexcept {
    if (pending_ != nullptr)
        failure_ = std::make_error_code(std::errc::operation_in_progress);
    error = failure_;
    if (failure_) {
        const batch refused = std::move(bytes);
        return progress::done;
    }
    if (bytes.empty())
        return progress::done;
    listener_ = &listener;
    starting_ = true;
    try {
        pending_ = new write_operation(*this, std::move(bytes));
        pending_->step();
    } catch (...) {
        pending_ = nullptr;
        failure_ = std::make_error_code(std::errc::not_enough_memory);
    }
    starting_ = false;
    error = failure_;
    return pending_ != nullptr ? progress::pending : progress::done;
}

void stream_sink_base::ended(std::error_code error) noexcept {
    if (error)
        failure_ = error;
    // A stream that completes inside its initiation, which Asio's never do.
    if (!starting_)
        listener_->written(error);
}

void stream_sink_base::cancel() noexcept {
    if (pending_ == nullptr)
        return;
    if (!failure_)
        failure_ = std::make_error_code(std::errc::operation_canceled);
    pending_->cancel();
}

void stream_sink_base::detach() noexcept {
    abort();
    if (write_operation* const left = pending_) {
        left->leave();
        left->cancel();
    }
}

void stream_sink_base::abort() noexcept {
    if (!failure_)
        failure_ = std::make_error_code(std::errc::operation_canceled);
}

} // namespace sluice::net::detail
