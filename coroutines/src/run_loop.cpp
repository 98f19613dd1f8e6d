#include <sluice/coro/run_loop.hpp>

#include <utility>

namespace sluice::coro {

namespace {

// The ticket of a posted item is null, that of a timer its index in the heap + 1.
void* ticket_of(std::size_t index) noexcept {
    return reinterpret_cast<void*>(index + 1);
}
std::size_t index_of(const scheduled& item) noexcept {
    return reinterpret_cast<std::size_t>(item.ticket()) - 1;
}

} // namespace

run_loop::~run_loop() {
    const std::lock_guard lock(mutex_);
    while (scheduled* item = posted_.pop_front())
        item->set_pending(nullptr, nullptr);
    for (const timer& entry : timers_)
        entry.item->set_pending(nullptr, nullptr);
}

void run_loop::post(scheduled& item) {
    const std::lock_guard lock(mutex_);
    item.set_pending(this, nullptr);
    posted_.push_back(item);
    // Under the lock: the loop may be destroyed as soon as its thread has run the item.
    if (sleeping_)
        wake_.notify_one();
}

void run_loop::wait_until(scheduled& item, time_point when) {
    timers_.emplace_back();
    item.set_pending(this, nullptr);
    sift_up(timers_.size() - 1, {when, next_order_++, &item});
}

void run_loop::run() {
    std::unique_lock lock(mutex_);
    while (!std::exchange(finished_, false)) {
        scheduled* item = nullptr;
        if (!timers_.empty())
            item = take_timer(now());
        if (item == nullptr)
            item = posted_.pop_front();
        if (item != nullptr) {
            item->set_pending(nullptr, nullptr);
            lock.unlock();
            item->run();
            lock.lock();
            continue;
        }
        sleeping_ = true;
        if (timers_.empty())
            wake_.wait(lock);
        else
            wake_.wait_until(lock, timers_.front().when);
        sleeping_ = false;
    }
}

void run_loop::finish() noexcept {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    wake_.notify_one();
}

void run_loop::forget(scheduled& item) noexcept {
    if (item.ticket() != nullptr) {
        remove_timer(index_of(item));
        return;
    }
    const std::lock_guard lock(mutex_);
    posted_.remove(item);
}

scheduled* run_loop::take_timer(time_point until) noexcept {
    const timer first = timers_.front();
    if (first.when > until)
        return nullptr;
    remove_timer(0);
    return first.item;
}

void run_loop::remove_timer(std::size_t index) noexcept {
    const timer last = timers_.back();
    timers_.pop_back();
    if (index == timers_.size())
        return;
    if (index > 0 && last < timers_[(index - 1) / 2])
        sift_up(index, last);
    else
        sift_down(index, last);
}

void run_loop::place(std::size_t index, const timer& entry) noexcept {
    timers_[index] = entry;
    entry.item->set_pending(this, ticket_of(index));
}

void run_loop::sift_up(std::size_t index, const timer& entry) noexcept {
    while (index > 0) {
        const std::size_t parent = (index - 1) / 2;
        if (!(entry < timers_[parent]))
            break;
        place(index, timers_[parent]);
        index = parent;
    }
    place(index, entry);
}

void run_loop::sift_down(std::size_t index, const timer& entry) noexcept {
    for (;;) {
        std::size_t child = 2 * index + 1;
        if (child >= timers_.size())
            break;
        if (child + 1 < timers_.size() && timers_[child + 1] < timers_[child])
            ++child;
        if (!(timers_[child] < entry))
            break;
        place(index, timers_[child]);
        index = child;
    }
    place(index, entry);
}

} // namespace sluice::coro
