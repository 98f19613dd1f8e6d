// The scheduler interface: every clock and every hop of the library goes through it.
//
// net/ implements it on an Asio executor, testing/ on virtual time, `sync_wait` on the calling thread. A scheduler is a
// serial context: what it runs, it runs one after another, and its functions are called from what it runs (`post` alone
// may be called from any thread).
#pragma once

#include <chrono>

namespace sluice::coro {

class scheduler;

/// Something that a scheduler runs once, later. The object belongs to its user and must stay at its address while
/// pending; destroying it withdraws it. One posting or wait at a time.
class scheduled {
public:
    scheduled(const scheduled&) = delete;
    scheduled& operator=(const scheduled&) = delete;

    /// Called by the scheduler, no longer pending: it may be scheduled anew or destroyed from inside.
    virtual void run() noexcept = 0;

    /// True from post or wait_until until just before run, or until withdrawn.
    bool pending() const noexcept { return owner_ != nullptr; }

    /// Withdraws it: after that, run is not called. Does nothing when it is not pending.
    void withdraw() noexcept;

    /// For implementations of scheduler: who it is pending on, and a pointer of theirs.
    void set_pending(scheduler* owner, void* ticket) noexcept {
        owner_ = owner;
        ticket_ = ticket;
    }
    void* ticket() const noexcept { return ticket_; }

protected:
    scheduled() = default;
    virtual ~scheduled() { withdraw(); }

private:
    friend class scheduled_queue;

    scheduler* owner_ = nullptr;
    void* ticket_ = nullptr;
    scheduled* next_ = nullptr;
    scheduled* previous_ = nullptr;
};

/// For implementations of scheduler: a queue of pending items, linked through them, so that a post allocates nothing.
class scheduled_queue {
public:
    bool empty() const noexcept { return first_ == nullptr; }
    void push_back(scheduled& item) noexcept {
        item.next_ = nullptr;
        item.previous_ = last_;
        (last_ != nullptr ? last_->next_ : first_) = &item;
        last_ = &item;
    }
    /// The first item, no longer in the queue; null when there is none.
    scheduled* pop_front() noexcept {
        scheduled* const item = first_;
        if (item != nullptr)
            remove(*item);
        return item;
    }
    void remove(scheduled& item) noexcept {
        (item.previous_ != nullptr ? item.previous_->next_ : first_) = item.next_;
        (item.next_ != nullptr ? item.next_->previous_ : last_) = item.previous_;
    }

private:
    scheduled* first_ = nullptr;
    scheduled* last_ = nullptr;
};

class scheduler {
public:
    using clock = std::chrono::steady_clock;
    using time_point = clock::time_point;
    using duration = clock::duration;

    /// The scheduler's own time: real or virtual.
    virtual time_point now() const noexcept = 0;

    /// Runs `item` soon, in the order of posting, never from inside this call. From any thread. Throws std::bad_alloc
    /// at most.
    virtual void post(scheduled& item) = 0;

    /// Runs `item` once `now() >= when`, never from inside this call. Throws std::bad_alloc at most.
    virtual void wait_until(scheduled& item, time_point when) = 0;

protected:
    virtual ~scheduler() = default;

private:
    friend class scheduled;
    /// Forgets a pending item. Called by `scheduled::withdraw`, in the scheduler's own context.
    virtual void forget(scheduled& item) noexcept = 0;
};

inline void scheduled::withdraw() noexcept {
    if (owner_ != nullptr) {
        scheduler* owner = owner_;
        owner_ = nullptr;
        owner->forget(*this);
    }
}

} // namespace sluice::coro
