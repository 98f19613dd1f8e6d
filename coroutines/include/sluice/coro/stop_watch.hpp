// stop_watch: calls a function when a chain is asked to stop; std::stop_callback without <stop_token>, which what
// templates include does without.
#pragma once

namespace sluice::coro {

struct environment;

/// The function is called on the thread that asks, at most once, at once where the stop was asked for before. Allocates
/// nothing.
class stop_watch {
public:
    using function = void (*)(void* object) noexcept;

    stop_watch() = default;
    stop_watch(const stop_watch&) = delete;
    stop_watch& operator=(const stop_watch&) = delete;
    ~stop_watch() { reset(); }

    /// Watches nothing where the chain cannot be stopped. It watches nothing before the call.
    void watch(const environment& env, function call, void* object) noexcept;

    /// Waits for a call that is running on another thread; none comes afterwards.
    void reset() noexcept {
        if (watching_)
            end();
    }

private:
    void end() noexcept;

    alignas(void*) unsigned char callback_[72]; // a std::stop_callback
    bool watching_ = false;
};

} // namespace sluice::coro
