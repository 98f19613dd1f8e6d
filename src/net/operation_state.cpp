#include <sluice/net/detail/operation_state.hpp>
#include <sluice/net/executor_scheduler.hpp>

#include <boost/asio/post.hpp>

#include <thread>

namespace sluice::net::detail {

// Runs on the operation's executor, so that it is serial with the operation's own handlers.
class operation_state::canceller {
public:
    using allocator_type = pool_allocator<void>;

    explicit canceller(operation_state& state) noexcept : state_(&state) {
        state.references_.fetch_add(1, std::memory_order_relaxed);
    }
    canceller(canceller&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    canceller& operator=(canceller&&) = delete;
    ~canceller() {
        if (state_ != nullptr)
            state_->release();
    }

    allocator_type get_allocator() const noexcept { return {}; }

    void operator()() {
        const phase now = state_->phase_.load(std::memory_order_acquire);
        if (now == phase::starting) // by another thread: the operation is not there to be cancelled yet
            boost::asio::post(state_->executor_, std::move(*this));
        else if (now == phase::waiting || now == phase::abandoned)
            state_->signal_.emit(boost::asio::cancellation_type::terminal);
    }

private:
    operation_state* state_;
};

operation_state::operation_state(coro::environment& env, std::coroutine_handle<> waiting,
                                 boost::asio::any_io_executor io) noexcept
    : env_(env), waiting_(waiting) {
    if (const auto* const ours = dynamic_cast<executor_scheduler*>(env.context)) {
        executor_ = ours->executor();
    } else {
        executor_ = std::move(io);
        hops_ = env.context != nullptr;
    }
}

operation_state::~operation_state() = default;

void operation_state::watch_stop() {
    if (const std::stop_token token = coro::stop_token_of(env_); token.stop_possible())
        on_stop_.emplace(token, stop_handler{this});
}

// Perhaps on another thread. A request that finds no memory is lost, and the operation ends by itself.
void operation_state::cancel_soon() noexcept {
    try {
        boost::asio::post(executor_, canceller(*this));
    } catch (...) {
        return;
    }
}

// Whoever comes second, the starter or the handler, goes on with the chain: the starter in the loop that it runs in,
// so that a million operations that complete inside their initiation use no stack. acq_rel: the results are seen by
// the chain, and what the starter left behind is seen by the thread that goes on.
std::coroutine_handle<> operation_state::started() noexcept {
    phase expected = phase::starting;
    if (phase_.compare_exchange_strong(expected, phase::waiting, std::memory_order_acq_rel))
        return nullptr;
    // Where the handler has been dropped the chain waits for ever: whoever owns it destroys it.
    if (expected != phase::completed)
        return nullptr;
    taken_ = true;
    return waiting_;
}

void operation_state::complete() noexcept {
    const phase before = phase_.exchange(phase::completed, std::memory_order_acq_rel);
    if (before != phase::waiting) { // starting: the starter goes on; abandoned: nobody does
        release();
    } else if (hops_) {
        env_.context->post(*this);
        posted_.store(true, std::memory_order_release);
        release();
    } else {
        coro::environment& env = env_;
        const std::coroutine_handle<> waiting = waiting_;
        release();
        coro::run_chain(env, waiting);
    }
}

void operation_state::run() noexcept {
    coro::run_chain(env_, waiting_);
}

void operation_state::drop() noexcept {
    phase_.exchange(phase::dropped, std::memory_order_acq_rel);
    release();
}

void operation_state::leave() noexcept {
    on_stop_.reset();
    phase before = phase::waiting;
    // A completed operation stays completed, so that a canceller on its way does not emit into it.
    if (phase_.compare_exchange_strong(before, phase::abandoned, std::memory_order_acq_rel)) {
        if (hops_)
            cancel_soon();
        else
            signal_.emit(boost::asio::cancellation_type::terminal);
    } else if (before == phase::completed && hops_ && !taken_) {
        // The handler is about to post, has posted, or the post has run.
        while (!posted_.load(std::memory_order_acquire))
            std::this_thread::yield();
        withdraw();
    }
    release();
}

void operation_state::release() noexcept {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        delete this;
}

} // namespace sluice::net::detail
