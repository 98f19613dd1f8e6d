// What the tests of coroutines/ share.
#pragma once

#include <sluice/coro/chain.hpp>
#include <sluice/coro/chain_stop.hpp>
#include <sluice/coro/run_loop.hpp>
#include <sluice/coro/task.hpp>

#include <coroutine>
#include <exception>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sluice::coro::test {

// Runs everything that is posted to `loop` by now, and what that posts in turn, but waits for no timer and no thread.
inline void drain(run_loop& loop) {
    struct marker final : scheduled {
        explicit marker(run_loop& where) noexcept : loop(where) {}
        void run() noexcept override {
            if (--rounds == 0)
                loop.finish();
            else
                loop.post(*this);
        }
        run_loop& loop;
        int rounds = 32;
    } last(loop);
    loop.post(last);
    loop.run();
}

// Writes its name to a log when it is destroyed.
class note {
public:
    note(std::vector<std::string>& log, std::string name) : log_(&log), name_(std::move(name)) {}
    note(note&& other) noexcept : log_(std::exchange(other.log_, nullptr)), name_(std::move(other.name_)) {}
    note& operator=(note&&) = delete;
    ~note() {
        if (log_ != nullptr)
            log_->push_back(name_);
    }

private:
    std::vector<std::string>* log_;
    std::string name_;
};

class logging_observer final : public chain_observer {
public:
    explicit logging_observer(std::vector<std::string>& log) : log_(log) {}
    void resumed() noexcept override { log_.push_back("resumed"); }
    void suspending() noexcept override { log_.push_back("suspending"); }
    void abandoned() noexcept override { log_.push_back("abandoned"); }

private:
    std::vector<std::string>& log_;
};

// A started chain that the test may drop at any time.
template <class T = void>
class dropped_chain {
public:
    dropped_chain(task<T> work, environment env) { chain_.emplace(std::move(work), std::move(env)); }
    dropped_chain(task<T> work, scheduler& where, std::stop_token stop) : stop_{std::move(stop)} {
        chain_.emplace(std::move(work), environment(&where, &stop_));
    }
    void start() {
        chain_->start({[](void* object) noexcept -> std::coroutine_handle<> {
                           *static_cast<bool*>(object) = true;
                           return nullptr;
                       },
                       &ended_});
    }
    bool ended() const noexcept { return ended_; }
    chain<T>& operator*() noexcept { return *chain_; }
    void drop() noexcept { chain_.reset(); }

private:
    bool ended_ = false;
    const chain_stop stop_;
    std::optional<chain<T>> chain_;
};

// Waits for ever, where nothing but its destruction ends it.
struct forever {
    using chain_awaiter = void;
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) const noexcept {
        self.promise().environment().next = {[](void*) noexcept { return std::coroutine_handle<>(); }, nullptr};
    }
    void await_resume() const noexcept {}
};

} // namespace sluice::coro::test
