#include <sluice/coro/scheduler.hpp>

#include <utility>

namespace sluice::coro {

void scheduled::leave() noexcept {
    std::exchange(owner_, nullptr)->forget(*this);
}

} // namespace sluice::coro
