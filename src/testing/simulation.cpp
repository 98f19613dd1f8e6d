#include <sluice/net/time_source.hpp>
#include <sluice/testing/simulation.hpp>

#include <stdexcept>
#include <string>

namespace sluice::testing {

simulation::simulation() : context_(1) {
    net::set_time_source(context_, &clock_);
}

simulation::~simulation() = default;

bool simulation::run_one() {
    if (!clock_.run_one()) {
        context_.restart(); // it stops when it runs out of work, of which the clock's timers are none
        if (context_.poll_one() == 0)
            return false;
    }
    ++steps_;
    return true;
}

std::size_t simulation::settle(std::uint64_t begun) {
    while (run_one())
        if (steps_ - begun > limit_)
            throw std::runtime_error("sluice::testing::simulation: more than " + std::to_string(limit_) +
                                     " steps: the test does not come to an end");
    return static_cast<std::size_t>(steps_ - begun);
}

std::size_t simulation::run_until_idle() {
    return settle(steps_);
}

std::size_t simulation::advance(manual_clock::duration by) {
    const std::uint64_t begun = steps_;
    const manual_clock::time_point target = clock_.now() + by;
    settle(begun);
    for (auto next = clock_.next_timer(); next && *next <= target; next = clock_.next_timer()) {
        clock_.advance_to_next();
        settle(begun);
    }
    clock_.advance(target - clock_.now());
    return static_cast<std::size_t>(steps_ - begun);
}

std::size_t simulation::run() {
    const std::uint64_t begun = steps_;
    do
        settle(begun);
    while (clock_.advance_to_next());
    return static_cast<std::size_t>(steps_ - begun);
}

} // namespace sluice::testing
