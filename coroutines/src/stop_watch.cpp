#include <sluice/coro/chain_stop.hpp>
#include <sluice/coro/stop_watch.hpp>

#include <memory>
#include <new>
#include <stop_token>
#include <utility>

namespace sluice::coro {

namespace {

struct handler {
    stop_watch::function call;
    void* object;
    void operator()() const noexcept { call(object); }
};

using callback = std::stop_callback<handler>;

} // namespace

void stop_watch::watch(const environment& env, function call, void* object) noexcept {
    static_assert(sizeof(callback) <= sizeof(callback_) && alignof(callback) <= alignof(void*));
    std::stop_token token = stop_token_of(env);
    if (!token.stop_possible())
        return;
    ::new (static_cast<void*>(callback_)) callback(std::move(token), handler{call, object});
    watching_ = true;
}

void stop_watch::end() noexcept {
    watching_ = false;
    std::destroy_at(std::launder(reinterpret_cast<callback*>(callback_)));
}

} // namespace sluice::coro
