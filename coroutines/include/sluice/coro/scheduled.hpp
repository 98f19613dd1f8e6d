// What a scheduler runs, and the queue that its implementations keep of it.
#pragma once

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
    void withdraw() noexcept {
        if (owner_ != nullptr)
            leave();
    }

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
    void leave() noexcept;

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

} // namespace sluice::coro
