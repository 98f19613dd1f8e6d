// fail_plan: runs a test again and again, failing a later step each time, until a run passes untouched.
//
//     for (testing::fail_plan plan; plan.again();) {
//         SCOPED_TRACE(plan.describe());
//         client.on_operation([&] { return plan.error_if_due(); });   // the k-th read or write fails
//         run_the_server();
//         check_that_nothing_leaked();
//     }
#pragma once

#include <cstddef>
#include <string>
#include <system_error>

namespace sluice::testing {

/// Counts the steps of a run; the run's own step, 0 in the first, 1 in the second and so on, is the one that is due.
/// What a step is, and what happens at it (an error, an exception, a cancellation, a destruction), is the test's
/// matter. When an exception leaves the loop the plan writes its description to std::cerr. Not thread-safe.
class fail_plan {
public:
    /// The loop ends with std::logic_error after `most_runs` runs.
    explicit fail_plan(std::size_t most_runs = 100'000) noexcept;
    fail_plan(const fail_plan&) = delete;
    fail_plan& operator=(const fail_plan&) = delete;
    ~fail_plan();

    /// Begins the next run; false when the last one has come to its end without reaching its step.
    bool again();

    /// Counts a step; true when it is the one that is due. Once in each run.
    bool due() noexcept { return count_++ == step_; }
    /// Counts a step; the error when it is due.
    std::error_code error_if_due(std::error_code error = std::make_error_code(std::errc::io_error)) noexcept {
        return due() ? error : std::error_code();
    }
    /// Counts a step; throws the exception when it is due.
    template <class Exception>
    void throw_if_due(const Exception& exception) {
        if (due())
            throw exception;
    }
    /// Counts a step; calls the action when it is due.
    template <class Action>
    void act_if_due(Action&& action) {
        if (due())
            static_cast<Action&&>(action)();
    }

    /// The step of this run.
    std::size_t step() const noexcept { return step_; }
    /// True once the step of this run has been reached.
    bool reached() const noexcept { return count_ > step_; }
    /// Runs begun so far.
    std::size_t runs() const noexcept { return runs_; }
    /// "fail_plan: step 3 of run 4, reached".
    std::string describe() const;

private:
    std::size_t most_runs_;
    std::size_t step_ = 0;
    std::size_t count_ = 0;
    std::size_t runs_ = 0;
    int exceptions_;
};

} // namespace sluice::testing
