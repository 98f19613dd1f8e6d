// What a spawned task consists of, besides its types.
#pragma once

#include <sluice/coro/environment.hpp>
#include <sluice/coro/frame_pool.hpp>
#include <sluice/net/executor_scheduler.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <stop_token>

namespace sluice::net::detail {

class spawn_registry;

// Owned by the registry of its execution context until it completes: where the context is destroyed first, what it runs
// is destroyed with it, whatever it waits for.
class spawned : public coro::pooled_frame {
public:
    spawned(const spawned&) = delete;
    spawned& operator=(const spawned&) = delete;

    /// Registers it and posts its start; throws what that throws, and then it is gone.
    void launch();

protected:
    explicit spawned(boost::asio::any_io_executor executor);
    virtual ~spawned();

    virtual void start() noexcept = 0;
    /// No longer the registry's: the owner is whoever called this.
    void disown() noexcept;

    coro::scheduler& scheduler() noexcept { return scheduler_; }
    /// To be called before launch, where something can ask for a stop.
    std::stop_source& make_stop_source();
    std::stop_token stop_token() const noexcept { return stop_.get_token(); }

private:
    friend class spawn_registry;
    class starter;

    executor_scheduler scheduler_;
    boost::asio::any_io_executor work_; // counts as outstanding work
    spawn_registry& registry_;
    std::stop_source stop_{std::nostopstate};
    spawned* next_ = nullptr;
    spawned** link_ = nullptr; // what points to it; null when it is in no list
};

} // namespace sluice::net::detail
