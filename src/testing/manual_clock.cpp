#include <sluice/testing/manual_clock.hpp>

#include <stdexcept>
#include <string>

namespace sluice::testing {

manual_clock::~manual_clock() {
    while (coro::scheduled* item = posted_.pop_front())
        item->set_pending(nullptr, nullptr);
    for (const auto& [when, item] : timers_)
        item->set_pending(nullptr, nullptr);
}

void manual_clock::post(coro::scheduled& item) {
    const std::lock_guard lock(mutex_);
    item.set_pending(this, nullptr);
    posted_.push_back(item);
}

void manual_clock::wait_until(coro::scheduled& item, time_point when) {
    const auto [at, added] = timers_.emplace(key(when, next_order_++), &item);
    item.set_pending(this, &*at);
}

void manual_clock::forget(coro::scheduled& item) noexcept {
    if (item.ticket() != nullptr) {
        timers_.erase(static_cast<decltype(timers_)::value_type*>(item.ticket())->first);
        return;
    }
    const std::lock_guard lock(mutex_);
    posted_.remove(item);
}

bool manual_clock::run_one() {
    coro::scheduled* item = nullptr;
    {
        const std::lock_guard lock(mutex_);
        item = posted_.pop_front();
    }
    if (item == nullptr) {
        if (timers_.empty() || timers_.begin()->first.first > now_)
            return false;
        item = timers_.begin()->second;
        timers_.erase(timers_.begin());
    }
    item->set_pending(nullptr, nullptr);
    ++steps_;
    item->run();
    return true;
}

std::size_t manual_clock::run_until_idle() {
    const std::uint64_t begun = steps_;
    while (run_one())
        check_limit(begun);
    return static_cast<std::size_t>(steps_ - begun);
}

std::size_t manual_clock::advance(duration by) {
    const std::uint64_t begun = steps_;
    const time_point target = now_ + by;
    for (;;) {
        while (run_one())
            check_limit(begun);
        const auto next = next_timer();
        if (!next || *next > target)
            break;
        now_ = *next;
    }
    now_ = target;
    return static_cast<std::size_t>(steps_ - begun);
}

std::size_t manual_clock::run() {
    const std::uint64_t begun = steps_;
    do {
        while (run_one())
            check_limit(begun);
    } while (advance_to_next());
    return static_cast<std::size_t>(steps_ - begun);
}

bool manual_clock::advance_to_next() noexcept {
    const auto next = next_timer();
    if (!next || *next <= now_)
        return false;
    now_ = *next;
    return true;
}

std::optional<manual_clock::time_point> manual_clock::next_timer() const noexcept {
    if (timers_.empty())
        return std::nullopt;
    return timers_.begin()->first.first;
}

void manual_clock::check_limit(std::uint64_t begun) const {
    if (steps_ - begun > limit_)
        throw std::runtime_error("sluice::testing::manual_clock: more than " + std::to_string(limit_) +
                                 " steps: the test does not come to an end");
}

} // namespace sluice::testing
