// The promise that nothing that completes at once uses stack: a million of each kind of await, one after another, in a
// thread with 256 KiB of it. Built in several modes (see CMakeLists.txt); a planted overflow, in a process of its own,
// proves that the stack is as small as that.
#include "foreign_awaitables.hpp"
#include <sluice/coro/async_generator.hpp>
#include <sluice/coro/async_manual_reset_event.hpp>
#include <sluice/coro/async_scope.hpp>
#include <sluice/coro/async_semaphore.hpp>
#include <sluice/coro/on.hpp>
#include <sluice/coro/resume_on.hpp>
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/this_chain.hpp>
#include <sluice/coro/wait.hpp>
#include <sluice/coro/when_all.hpp>

#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

// Locals on the real stack, not on a heap that AddressSanitizer keeps for those of calls that returned.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
    return "detect_stack_use_after_return=0";
}

namespace {

using namespace sluice::coro;

constexpr std::size_t stack_bytes = 256 * 1024;
constexpr long million = 1'000'000;

struct ready {
    using chain_awaiter = void;
    bool await_ready() const noexcept { return true; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise>) const noexcept {}
    void await_resume() const noexcept {}
};

struct declines {
    using chain_awaiter = void;
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise>) const noexcept {
        return false;
    }
    void await_resume() const noexcept {}
};

// An operation that finds itself complete when the loop starts it.
struct completes_in_start {
    using chain_awaiter = void;
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) const noexcept {
        self.promise().environment().next = {&resume_anew, self.address()};
    }
    void await_resume() const noexcept {}
    static std::coroutine_handle<> resume_anew(void* object) noexcept {
        return std::coroutine_handle<>::from_address(object);
    }
};

task<long> leaf() {
    co_return 1;
}

template <class Operation>
task<long> leaf_that_awaits() {
    co_await Operation();
    co_return 1;
}

template <class Operation>
task<long> awaits() {
    for (long i = 0; i < million; ++i)
        co_await Operation();
    co_return million;
}

template <class Operation>
task<long> awaits_tasks_that_await() {
    long count = 0;
    for (long i = 0; i < million; ++i)
        count += co_await leaf_that_awaits<Operation>();
    co_return count;
}

task<long> awaits_tasks() {
    long count = 0;
    for (long i = 0; i < million; ++i)
        count += co_await leaf();
    co_return count;
}

test::foreign_task foreign_leaf() {
    co_return 1;
}

task<long> awaits_foreign_tasks() {
    long count = 0;
    for (long i = 0; i < million; ++i)
        count += co_await foreign_leaf();
    co_return count;
}

template <class Operation>
async_generator<long> elements() {
    for (long i = 0; i < million; ++i) {
        co_await Operation();
        co_yield i;
    }
}

template <class Operation>
task<long> consumes_elements() {
    auto from = elements<Operation>();
    long count = 0;
    while (co_await from.next() != nullptr)
        ++count;
    co_return count;
}

template <class Operation>
task<long> awaits_when_all() {
    long count = 0;
    for (long i = 0; i < million / 2; ++i) {
        auto both = co_await when_all(leaf_that_awaits<Operation>(), leaf());
        count += both.template get<0>() + both.template get<1>();
    }
    co_return count;
}

task<long> awaits_one_when_all_of_a_million() {
    std::vector<task<long>> all;
    all.reserve(million);
    for (long i = 0; i < million; ++i)
        all.push_back(i % 2 == 0 ? leaf() : leaf_that_awaits<yield>());
    long count = 0;
    for (const long each : co_await when_all(std::move(all)))
        count += each;
    co_return count;
}

task<long> posts_to_itself() {
    scheduler& here = co_await current_scheduler();
    long count = 0;
    for (long i = 0; i < million / 10; ++i)
        count += 10 * co_await on(here, leaf());
    co_return count;
}

task<long> takes_permits() {
    async_semaphore permits(1);
    async_manual_reset_event event(true);
    for (long i = 0; i < million; ++i) {
        co_await permits.acquire();
        co_await event.wait();
        permits.release();
    }
    co_return million;
}

task<> spawns_its_successor(async_scope& scope, long& count) {
    if (++count < million)
        scope.spawn(spawns_its_successor(scope, count));
    co_return;
}

task<long> spawns() {
    async_scope scope(co_await current_scheduler());
    long count = 0;
    scope.spawn(spawns_its_successor(scope, count));
    co_await scope.join();
    co_return count;
}

struct wait_that_is_due : wait_for {
    wait_that_is_due() noexcept : wait_for(scheduler::duration::zero()) {}
};

struct test_case {
    const char* name;
    task<long> (*run)();
};

constexpr test_case cases[] = {
    {"awaits that are ready", &awaits<ready>},
    {"tasks that finish at once", &awaits_tasks},
    {"awaits whose await_suspend returns false", &awaits<declines>},
    {"operations that complete inside their start", &awaits<completes_in_start>},
    {"tasks whose operation completes inside its start", &awaits_tasks_that_await<completes_in_start>},
    {"timers that are due", &awaits<wait_that_is_due>},
    {"foreign awaits that resume at once", &awaits<test::resumes_at_once>},
    {"foreign awaits that decline", &awaits<test::declines_to_wait>},
    {"tasks with foreign awaits", &awaits_tasks_that_await<test::resumes_at_once>},
    {"foreign tasks", &awaits_foreign_tasks},
    {"elements that are ready", &consumes_elements<ready>},
    {"elements whose operation completes inside its start", &consumes_elements<completes_in_start>},
    {"elements after a foreign await", &consumes_elements<test::resumes_at_once>},
    {"elements after a post", &consumes_elements<yield>},
    {"when_all of ready tasks", &awaits_when_all<ready>},
    {"when_all of a task that posts", &awaits_when_all<yield>},
    {"one when_all of a million", &awaits_one_when_all_of_a_million},
    {"posts", &awaits<yield>},
    {"tasks that post", &awaits_tasks_that_await<yield>},
    {"tasks on their own scheduler", &posts_to_itself},
    {"permits and events", &takes_permits},
    {"spawned tasks that spawn", &spawns},
};

// What every naive implementation does: one level of stack for each await.
task<long> nests(long depth) {
    if (depth == 0)
        co_return 0;
    co_return 1 + co_await nests(depth - 1);
}
task<long> planted() {
    return nests(million);
}

struct small_thread {
    task<long> (*body)();
    long result = -1;
};

long run_on_small_stack(task<long> (*body)()) {
    small_thread run{body};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, stack_bytes) != 0)
        return -2;
    pthread_t thread{};
    const auto enter = [](void* object) -> void* {
        auto& self = *static_cast<small_thread*>(object);
        self.result = sync_wait(self.body());
        return nullptr;
    };
    if (pthread_create(&thread, &attributes, enter, &run) != 0)
        return -3;
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    return run.result;
}

bool planted_overflow_is_found() {
    const pid_t child = fork();
    if (child == 0) {
        std::fclose(stderr); // the sanitizer's report of it
        run_on_small_stack(&planted);
        _exit(0);
    }
    int status = 0;
    return waitpid(child, &status, 0) == child && !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

} // namespace

int main() {
    int failures = 0;
    if (!planted_overflow_is_found()) {
        std::printf("FAILED: a million nested calls fit the stack, so this test proves nothing\n");
        ++failures;
    }
    for (const test_case& each : cases) {
        std::printf("%s ... ", each.name);
        std::fflush(stdout);
        const long result = run_on_small_stack(each.run);
        std::printf("%s\n", result == million ? "ok" : "FAILED");
        failures += result != million;
    }
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
