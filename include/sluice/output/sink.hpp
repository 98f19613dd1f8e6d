// The sink interface: where an output's bytes go.
#pragma once

#include <sluice/output/batch.hpp>

#include <system_error>

namespace sluice {

/// Told by an asynchronous sink that a write has ended.
class write_listener {
public:
    /// Called once for each write that was begun, in the chain's own context, never from inside `sink::write`.
    virtual void written(std::error_code error) noexcept = 0;

protected:
    ~write_listener() = default;
};

/// A sink takes batches one after another: one write at a time. Nothing more is written after one has failed.
/// Sinks that wait for nothing (string, stream, file, callback) derive from synchronous_sink.
class sink {
public:
    sink(const sink&) = delete;
    sink& operator=(const sink&) = delete;
    virtual ~sink() = default;

    /// What `write` says when it returns.
    enum class progress { done, pending };

    /// Writes the batch, of which the sink is now the owner. `last`: nothing comes after it; then alone the batch may
    /// be empty. Returns `done`, with the outcome in `error`, or `pending`: then `listener.written` is called later.
    virtual progress write(batch&& bytes, bool last, write_listener& listener, std::error_code& error) noexcept = 0;

    /// True where `write` never returns `pending`.
    virtual bool synchronous() const noexcept = 0;

    /// Asks a pending write to end soon. It still ends by `written`, with an error or, if it was faster, without.
    virtual void cancel() noexcept = 0;

    /// The listener is about to be destroyed: a pending write is cancelled and never reported.
    virtual void detach() noexcept = 0;

    /// The render has failed: nothing more comes, and what was written must not be taken for a whole document.
    /// Called once at most, and never after a `write` with `last` has been begun.
    virtual void abort() noexcept {}

protected:
    sink() = default;
};

/// Base of sinks that write in place.
class synchronous_sink : public sink {
public:
    progress write(batch&& bytes, bool last, write_listener&, std::error_code& error) noexcept final {
        const batch held = std::move(bytes);
        error = write_now(held, last);
        return progress::done;
    }
    bool synchronous() const noexcept final { return true; }
    void cancel() noexcept final {}
    void detach() noexcept final {}

protected:
    /// Writes all the pieces, or says why it cannot.
    virtual std::error_code write_now(const batch& bytes, bool last) noexcept = 0;
};

} // namespace sluice
