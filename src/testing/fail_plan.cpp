#include <sluice/testing/fail_plan.hpp>

#include <exception>
#include <iostream>
#include <stdexcept>

namespace sluice::testing {

fail_plan::fail_plan(std::size_t most_runs) noexcept : most_runs_(most_runs), exceptions_(std::uncaught_exceptions()) {}

fail_plan::~fail_plan() {
    if (std::uncaught_exceptions() <= exceptions_)
        return;
    try {
        std::cerr << "an exception left the loop of a " << describe() << '\n';
    } catch (...) {
        return; // the exception on its way says more
    }
}

bool fail_plan::again() {
    if (runs_ != 0) {
        if (!reached())
            return false;
        ++step_;
    }
    if (runs_ == most_runs_)
        throw std::logic_error("sluice::testing::" + describe() + ": no run passes untouched");
    ++runs_;
    count_ = 0;
    return true;
}

std::string fail_plan::describe() const {
    return "fail_plan: step " + std::to_string(step_) + " of run " + std::to_string(runs_) +
           (reached() ? ", reached" : ", not reached");
}

} // namespace sluice::testing
