#include <sluice/coro/frame_pool.hpp>
#include <sluice/coro/operation_cancelled.hpp>
#include <sluice/net/detail/pool_allocator.hpp>
#include <sluice/net/executor_scheduler.hpp>
#include <sluice/net/time_source.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace sluice::net {

namespace {

class time_source_service final : public boost::asio::execution_context::service {
public:
    static inline boost::asio::execution_context::id id;

    explicit time_source_service(boost::asio::execution_context& context)
        : boost::asio::execution_context::service(context) {}

    coro::scheduler* clock = nullptr;

private:
    void shutdown() override {}
};

} // namespace

void set_time_source(boost::asio::execution_context& context, coro::scheduler* clock) {
    boost::asio::use_service<time_source_service>(context).clock = clock;
}

coro::scheduler* time_source(boost::asio::execution_context& context) {
    if (!boost::asio::has_service<time_source_service>(context))
        return nullptr;
    return boost::asio::use_service<time_source_service>(context).clock;
}

// What stands for a pending item in its handler, which owns it. An item that is withdrawn, or destroyed, is cut off
// from its ticket; a ticket whose handler is destroyed unused says so to its item.
class executor_scheduler::ticket final : public coro::pooled_frame, private coro::scheduled {
    struct deleter {
        void operator()(ticket* used) const noexcept { delete used; }
    };

public:
    using owner = std::unique_ptr<ticket, deleter>;

    explicit ticket(coro::scheduled& item) noexcept : item_(&item) {}
    ~ticket() override {
        if (item_ != nullptr)
            item_->set_pending(nullptr, nullptr);
    }

    class handler {
    public:
        using allocator_type = detail::pool_allocator<void>;
        explicit handler(owner of) noexcept : ticket_(std::move(of)) {}
        allocator_type get_allocator() const noexcept { return {}; }
        void operator()(const boost::system::error_code& = {}) { ticket::fire(std::move(ticket_)); }

    private:
        owner ticket_;
    };

    static void post(owner self, boost::asio::any_io_executor executor) {
        boost::asio::post(executor, handler(std::move(self)));
    }

    static void wait(owner self, const boost::asio::any_io_executor& executor, time_point when) {
        ticket& held = *self;
        held.timer_.emplace(executor, when);
        held.timer_->async_wait(handler(std::move(self)));
    }

    // The clock runs the ticket, which then posts the item to its executor.
    static void wait_on(owner self, coro::scheduler& clock, const boost::asio::any_io_executor& executor,
                        time_point when) {
        self->executor_ = executor;
        clock.wait_until(*self, when);
        self.release();
    }

    // The item is not to run.
    void cut() noexcept {
        item_ = nullptr;
        if (timer_) {
            timer_->cancel();
        } else if (executor_) {
            if (posted_)
                return; // its handler finds nothing
            withdraw();
            delete this;
        }
    }

private:
    static void fire(owner self) noexcept {
        coro::scheduled* const item = std::exchange(self->item_, nullptr);
        self.reset();
        if (item == nullptr)
            return;
        item->set_pending(nullptr, nullptr);
        item->run();
    }

    void run() noexcept override {
        posted_ = true;
        post(owner(this), executor_);
    }

    coro::scheduled* item_;
    std::optional<boost::asio::steady_timer> timer_;
    boost::asio::any_io_executor executor_; // for a clock of a test
    bool posted_ = false;
};

executor_scheduler::executor_scheduler(boost::asio::any_io_executor executor)
    : executor_(std::move(executor)),
      clock_(time_source(boost::asio::query(executor_, boost::asio::execution::context))) {}

executor_scheduler::time_point executor_scheduler::now() const noexcept {
    return clock_ != nullptr ? clock_->now() : clock::now();
}

void executor_scheduler::post(coro::scheduled& item) {
    ticket::owner made(new ticket(item));
    item.set_pending(this, made.get());
    ticket::post(std::move(made), executor_);
}

void executor_scheduler::wait_until(coro::scheduled& item, time_point when) {
    ticket::owner made(new ticket(item));
    item.set_pending(this, made.get());
    if (clock_ != nullptr)
        ticket::wait_on(std::move(made), *clock_, executor_, when);
    else
        ticket::wait(std::move(made), executor_, when);
}

void executor_scheduler::forget(coro::scheduled& item) noexcept {
    static_cast<ticket*>(item.ticket())->cut();
}

boost::asio::any_io_executor executor_of(coro::scheduler& scheduler) {
    const auto* const ours = dynamic_cast<executor_scheduler*>(&scheduler);
    if (ours == nullptr)
        throw coro::no_scheduler();
    return ours->executor();
}

} // namespace sluice::net
