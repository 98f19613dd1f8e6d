#include <sluice/net/detail/pool_allocator.hpp>
#include <sluice/net/detail/spawned.hpp>

#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>

#include <mutex>

namespace sluice::net::detail {

// The tasks that were spawned on one execution context and have not completed.
class spawn_registry final : public boost::asio::execution_context::service {
public:
    static inline boost::asio::execution_context::id id;

    explicit spawn_registry(boost::asio::execution_context& context)
        : boost::asio::execution_context::service(context) {}

    static spawn_registry& of(const boost::asio::any_io_executor& executor) {
        return boost::asio::use_service<spawn_registry>(boost::asio::query(executor, boost::asio::execution::context));
    }

    void add(spawned& added) noexcept {
        const std::lock_guard lock(mutex_);
        added.next_ = first_;
        added.link_ = &first_;
        if (first_ != nullptr)
            first_->link_ = &added.next_;
        first_ = &added;
    }

    void remove(spawned& removed) noexcept {
        const std::lock_guard lock(mutex_);
        if (removed.link_ == nullptr)
            return;
        *removed.link_ = removed.next_;
        if (removed.next_ != nullptr)
            removed.next_->link_ = removed.link_;
        removed.link_ = nullptr;
    }

private:
    // The context is being destroyed: no handler runs any more. What is destroyed here may spawn, which is in vain.
    void shutdown() override {
        while (spawned* const left = first_) {
            remove(*left);
            delete left;
        }
    }

    std::mutex mutex_;
    spawned* first_ = nullptr;
};

// It is the registry that owns what is to be started: a starter that is destroyed unused does nothing.
class spawned::starter {
public:
    using allocator_type = pool_allocator<void>;
    explicit starter(spawned& task) noexcept : task_(&task) {}
    allocator_type get_allocator() const noexcept { return {}; }
    void operator()() const noexcept { task_->start(); }

private:
    spawned* task_;
};

spawned::spawned(boost::asio::any_io_executor executor)
    : scheduler_(std::move(executor)),
      work_(boost::asio::prefer(scheduler_.executor(), boost::asio::execution::outstanding_work.tracked)),
      registry_(spawn_registry::of(scheduler_.executor())) {}

spawned::~spawned() = default;

void spawned::launch() {
    registry_.add(*this);
    try {
        boost::asio::post(scheduler_.executor(), starter(*this));
    } catch (...) {
        registry_.remove(*this);
        delete this;
        throw;
    }
}

void spawned::disown() noexcept {
    registry_.remove(*this);
}

std::stop_source& spawned::make_stop_source() {
    stop_ = std::stop_source();
    return stop_;
}

} // namespace sluice::net::detail
