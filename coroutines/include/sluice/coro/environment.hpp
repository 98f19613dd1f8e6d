// What the tasks of one chain share, and the loop that runs them.
//
// A chain is a started task and the children it awaits, one inside the other. Its environment is one object, owned by
// whoever started it (spawn, sync_wait, each child of when_all) and inherited at `co_await` as one pointer. Nothing is
// thread-local.
//
// The loop keeps the stack flat in every build mode, also where the compiler makes no tail call of symmetric transfer.
// A child is resumed in place by its parent's `await_suspend`, which returns false when the child has finished
// meanwhile. A child that must wait unwinds first: it leaves what it waits for in `environment::next`, and `run_chain`
// starts that on the empty stack. So nothing can complete while the stack still unwinds: no race, no atomic.
#pragma once

#include <coroutine>

namespace sluice::coro {

class scheduler;
struct chain_stop;

/// A step of the loop: `call(object)` starts an operation, or ends a chain, on the empty stack of `run_chain`. It
/// returns the coroutine to go on with at once, or null when the chain waits or has ended; then neither the
/// environment nor the object may be touched any more by the loop: another thread may already run, or have ended, it.
struct chain_step {
    std::coroutine_handle<> (*call)(void* object) noexcept;
    void* object;
};

/// What a render attaches to a chain: told when the chain goes on, stops, or is dropped.
class chain_observer {
public:
    /// The chain runs on the calling thread from now on. Comes before each run of the chain's coroutines.
    virtual void resumed() noexcept = 0;
    /// The chain is about to wait, or has ended, with the stack unwound. Where what it waits for is ready when it is
    /// started, `resumed` follows at once.
    virtual void suspending() noexcept = 0;
    /// A started, unfinished task is about to be destroyed: called before its frame is, again for each frame below it.
    virtual void abandoned() noexcept = 0;

protected:
    virtual ~chain_observer() = default;
};

struct environment {
    environment() = default;
    explicit environment(scheduler* where, const chain_stop* token = nullptr,
                         chain_observer* watcher = nullptr) noexcept
        : context(where), stop(token), observer(watcher) {}

    /// Where the chain runs; null where it was started without one: then only what needs no scheduler can be awaited.
    scheduler* context = nullptr;
    /// Asks the chain to stop, and what it awaits honours it; null where nothing does. Outlives the chain.
    const chain_stop* stop = nullptr;
    chain_observer* observer = nullptr;
    /// What the loop does once the stack is unwound.
    chain_step next{nullptr, nullptr};
};

/// A step that goes on with the coroutine at `object`.
inline std::coroutine_handle<> resume_step(void* object) noexcept {
    return std::coroutine_handle<>::from_address(object);
}

/// Resumes `coroutine`, a suspended coroutine of the chain, and runs the chain until it waits or has ended. The caller
/// is the chain's own context, and nothing of the chain is on the stack.
inline void run_chain(environment& env, std::coroutine_handle<> coroutine) noexcept {
    if (env.observer != nullptr)
        env.observer->resumed();
    for (;;) {
        coroutine.resume();
        const chain_step step = env.next;
        if (step.call == nullptr)
            return;
        env.next.call = nullptr;
        if (step.call == &resume_step) { // a finished child hands over to its parent: the chain goes on running
            coroutine = resume_step(step.object);
            continue;
        }
        if (env.observer != nullptr)
            env.observer->suspending();
        coroutine = step.call(step.object);
        if (!coroutine)
            return;
        if (env.observer != nullptr)
            env.observer->resumed();
    }
}

} // namespace sluice::coro
