#include "connection.hpp"
#include <sluice/testing/simulated_stream.hpp>

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>

#include <algorithm>
#include <mutex>
#include <unordered_set>

namespace sluice::testing::detail {

namespace asio = boost::asio;

namespace {

// The connections of an execution context. A handler in flight may own its stream, and so itself: the context breaks
// that when it goes.
class connection_registry final : public asio::execution_context::service {
public:
    static inline asio::execution_context::id id;
    explicit connection_registry(asio::execution_context& context) : asio::execution_context::service(context) {}

    static connection_registry& of(const asio::any_io_executor& executor) {
        return asio::use_service<connection_registry>(asio::query(executor, asio::execution::context));
    }
    void add(connection& link) {
        const std::lock_guard lock(mutex_);
        links_.insert(&link);
        link.registered = true;
    }
    void remove(connection& link) noexcept {
        const std::lock_guard lock(mutex_);
        links_.erase(&link);
    }

private:
    void shutdown() override {
        while (!links_.empty()) {
            connection& link = **links_.begin();
            links_.erase(links_.begin());
            link.registered = false;
            if (const auto kept = link.weak_from_this().lock())
                kept->drop();
        }
    }

    std::mutex mutex_;
    std::unordered_set<connection*> links_;
};

} // namespace

// ---- operations in flight ----------------------------------------------------------------------------------------

template <class Handler>
void pending_operation<Handler>::hold(Handler handler, const asio::any_io_executor& io) {
    io_work_ = asio::prefer(io, asio::execution::outstanding_work.tracked);
    handler_work_ = asio::prefer(asio::get_associated_executor(handler, asio::any_completion_executor(io)),
                                 asio::execution::outstanding_work.tracked);
    handler_.emplace(std::move(handler));
}

template <class Handler>
template <class... Results>
void pending_operation<Handler>::complete(Results... results) {
    asio::any_io_executor io = std::move(io_work_);
    asio::any_completion_executor executor = std::move(handler_work_);
    Handler handler = std::move(*handler_);
    drop();
    // A completed operation is not cancelled any more.
    asio::get_associated_cancellation_slot(handler).clear();
    asio::dispatch(executor, asio::append(std::move(handler), results...));
}

template <class Handler>
void pending_operation<Handler>::drop() noexcept {
    const std::optional<Handler> dropped = std::exchange(handler_, std::nullopt);
    io_work_ = {};
    handler_work_ = {};
}

// ---- the connection ----------------------------------------------------------------------------------------------

connection::connection(asio::any_io_executor on) : executor(std::move(on)) {}

connection::~connection() {
    if (registered)
        connection_registry::of(executor).remove(*this);
}

error_code connection::begin(std::size_t& failing, const error_code& planned) const {
    if (ask)
        if (const std::error_code error = ask())
            return as_reported(error);
    if (failing != simulated_client::unlimited && failing-- == 0)
        return planned;
    return {};
}

// Ends at once, by a post, without touching the operation in flight.
void connection::refuse(transfer_handler handler) {
    ++overlapping;
    asio::post(executor, asio::append(std::move(handler), error_code(asio::error::already_started), std::size_t(0)));
}

void connection::read(std::vector<asio::mutable_buffer> buffers, transfer_handler handler) {
    ++reads_started;
    if (reading)
        return refuse(std::move(handler));
    read_fails_ = begin(failing_read, read_error);
    read_buffers_ = std::move(buffers);
    connect_slot(asio::get_associated_cancellation_slot(handler), kind::read);
    reading.hold(std::move(handler), executor);
    wake();
}

void connection::write(std::vector<asio::const_buffer> buffers, transfer_handler handler) {
    ++writes_started;
    if (writing)
        return refuse(std::move(handler));
    write_fails_ = begin(failing_write, write_error);
    write_buffers_ = std::move(buffers);
    connect_slot(asio::get_associated_cancellation_slot(handler), kind::write);
    writing.hold(std::move(handler), executor);
    wake();
}

void connection::wait(asio::socket_base::wait_type what, wait_handler handler) {
    if (waiting) {
        ++overlapping;
        asio::post(executor, asio::append(std::move(handler), error_code(asio::error::already_started)));
        return;
    }
    wait_fails_ = {};
    wait_type_ = what;
    connect_slot(asio::get_associated_cancellation_slot(handler), kind::wait);
    waiting.hold(std::move(handler), executor);
    wake();
}

void connection::connect_slot(const asio::cancellation_slot& slot, kind what) {
    if (asio::cancellation_slot connected = slot; connected.is_connected())
        connected.assign([link = weak_from_this(), what](asio::cancellation_type type) {
            if (type == asio::cancellation_type::none)
                return;
            if (const auto held = link.lock())
                held->cancelled(what);
        });
}

void connection::cancelled(kind what) {
    error_code& fails = what == kind::read ? read_fails_ : what == kind::write ? write_fails_ : wait_fails_;
    if (!fails)
        fails = asio::error::operation_aborted;
    wake();
}

void connection::cancel() {
    cancelled(kind::read);
    cancelled(kind::write);
    cancelled(kind::wait);
}

void connection::close() {
    closed = true;
    cancel();
}

void connection::drop() noexcept {
    closed = true;
    reading.drop();
    writing.drop();
    waiting.drop();
}

void connection::wake() {
    if (woken_ || !(reading || writing || waiting))
        return;
    woken_ = true;
    asio::post(executor, [self = shared_from_this()] {
        self->woken_ = false;
        self->look();
    });
}

connection::outcome connection::read_outcome() const {
    if (read_fails_)
        return {true, read_fails_};
    if (closed)
        return {true, asio::error::bad_descriptor};
    if (reset)
        return {true, asio::error::connection_reset};
    if (asio::buffer_size(read_buffers_) == 0 || (!inbound.empty() && !shut_receive))
        return {true, {}};
    if (client_finished || client_closed || shut_receive)
        return {true, asio::error::eof};
    return {};
}

connection::outcome connection::write_outcome() const {
    if (write_fails_)
        return {true, write_fails_};
    if (closed)
        return {true, asio::error::bad_descriptor};
    if (reset)
        return {true, asio::error::connection_reset};
    if (client_closed || shut_send)
        return {true, asio::error::broken_pipe};
    if (window != 0 || asio::buffer_size(write_buffers_) == 0)
        return {true, {}};
    return {};
}

connection::outcome connection::wait_outcome() const {
    if (wait_fails_)
        return {true, wait_fails_};
    if (closed)
        return {true, asio::error::bad_descriptor};
    switch (wait_type_) {
    case asio::socket_base::wait_read:
        return {reset || !inbound.empty() || client_finished || client_closed, {}};
    case asio::socket_base::wait_write:
        return {reset || window != 0 || client_closed, {}};
    case asio::socket_base::wait_error:
        break;
    }
    return {reset, {}};
}

// Ends what can end. A handler may start the next operation, close the stream, or destroy it.
void connection::look() {
    if (reading)
        take_read();
    if (writing)
        take_write();
    if (waiting)
        if (const outcome now = wait_outcome(); now.ends)
            waiting.complete(now.code);
}

void connection::take_read() {
    const outcome now = read_outcome();
    if (!now.ends)
        return;
    if (now.code || asio::buffer_size(read_buffers_) == 0)
        return reading.complete(now.code, std::size_t(0));
    std::string& front = inbound.front();
    const std::size_t size = asio::buffer_copy(read_buffers_, asio::buffer(front));
    front.erase(0, size);
    if (front.empty())
        inbound.pop_front();
    reading.complete(error_code(), size);
}

void connection::take_write() {
    const outcome now = write_outcome();
    if (!now.ends)
        return;
    if (now.code)
        return writing.complete(now.code, std::size_t(0));
    std::uint64_t most = std::min<std::uint64_t>(window, std::min(closes_after, resets_after) - bytes_received);
    if (!pattern.empty())
        most = std::min<std::uint64_t>(most, pattern[turn++ % pattern.size()]);
    const std::size_t size = std::min(static_cast<std::size_t>(most), asio::buffer_size(write_buffers_));
    const std::size_t before = received.size();
    received.resize(before + size);
    asio::buffer_copy(asio::buffer(received.data() + before, size), write_buffers_);
    bytes_received += size;
    write_sizes.push_back(size);
    if (window != simulated_client::unlimited)
        window -= size;
    if (bytes_received == resets_after)
        reset = true;
    else if (bytes_received == closes_after)
        client_closed = true;
    if (reset || client_closed)
        wake();
    writing.complete(error_code(), size);
}

void start_read(connection& link, std::vector<asio::mutable_buffer> buffers, transfer_handler handler) {
    link.read(std::move(buffers), std::move(handler));
}
void start_write(connection& link, std::vector<asio::const_buffer> buffers, transfer_handler handler) {
    link.write(std::move(buffers), std::move(handler));
}
void start_wait(connection& link, asio::socket_base::wait_type what, wait_handler handler) {
    link.wait(what, std::move(handler));
}

} // namespace sluice::testing::detail

namespace sluice::testing {

simulated_stream::simulated_stream(executor_type executor)
    : link_(std::make_shared<detail::connection>(std::move(executor))) {
    detail::connection_registry::of(link_->executor).add(*link_);
}

simulated_stream& simulated_stream::operator=(simulated_stream&& other) noexcept {
    if (this != &other) {
        if (link_)
            link_->close();
        link_ = std::move(other.link_);
    }
    return *this;
}

simulated_stream::~simulated_stream() {
    if (link_)
        link_->close();
}

simulated_stream::executor_type simulated_stream::get_executor() const noexcept {
    return link_->executor;
}

bool simulated_stream::is_open() const noexcept {
    return !link_->closed;
}

void simulated_stream::cancel() {
    link_->cancel();
}

void simulated_stream::close() {
    link_->close();
}

void simulated_stream::close(boost::system::error_code& code) {
    code = {};
    link_->close();
}

void simulated_stream::shutdown(boost::asio::socket_base::shutdown_type what) {
    boost::system::error_code code;
    shutdown(what, code);
    if (code)
        throw boost::system::system_error(code);
}

void simulated_stream::shutdown(boost::asio::socket_base::shutdown_type what, boost::system::error_code& code) {
    if (link_->closed)
        code = boost::asio::error::bad_descriptor;
    else if (link_->reset)
        code = boost::asio::error::not_connected;
    else
        code = {};
    if (code)
        return;
    if (what != boost::asio::socket_base::shutdown_receive)
        link_->shut_send = true;
    if (what != boost::asio::socket_base::shutdown_send)
        link_->shut_receive = true;
    link_->wake();
}

} // namespace sluice::testing
