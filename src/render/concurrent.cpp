#include <sluice/coro/chain.hpp>
#include <sluice/coro/chain_stop.hpp>
#include <sluice/coro/operation_cancelled.hpp>
#include <sluice/coro/scheduler.hpp>
#include <sluice/coro/stop_watch.hpp>
#include <sluice/render/concurrent.hpp>
#include <sluice/render/render.hpp>

#include <chrono>
#include <coroutine>
#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <utility>

namespace sluice {

concurrent::concurrent(std::size_t at_once) : at_once_(at_once) {
    if (at_once == 0)
        throw std::invalid_argument("sluice: concurrent(0) would render nothing");
}

namespace detail {

namespace {

// What a child holds while it is not its turn: a chunk or two. Never destroyed, like the shared pool.
chunk_pool& small_chunks() {
    static chunk_pool& pool = *new chunk_pool(4096);
    return pool;
}

output_options buffering_beside(const document& whole) {
    return output_options().pool(&small_chunks()).high_water(4096).linger(std::chrono::nanoseconds(whole.linger()));
}

} // namespace

// What the children share, and the wait of who takes them.
struct concurrent_parts::state final : coro::scheduled {
    // Awaits the next thing that happens to a child.
    struct next_event {
        using chain_awaiter = void;

        state& all;

        bool await_ready() const noexcept { return false; }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> self) const noexcept {
            coro::environment& chain = self.promise().environment();
            all.env = &chain;
            all.waiting = self;
            chain.next = {&start, &all};
        }
        void await_resume() const noexcept {}

        static std::coroutine_handle<> start(void* object) noexcept {
            auto& self = *static_cast<state*>(object);
            if (std::exchange(self.happened, false))
                return std::exchange(self.waiting, nullptr);
            self.started_waiting = true;
            return nullptr;
        }
    };

    // Something has happened to a child: goes on with who waits, later, on an empty stack.
    void happen() noexcept {
        happened = true;
        if (started_waiting && !pending())
            env->context->post(*this);
    }
    void run() noexcept override {
        if (!std::exchange(started_waiting, false))
            return;
        happened = false;
        coro::run_chain(*env, std::exchange(waiting, nullptr));
    }

    coro::environment* env = nullptr;
    std::coroutine_handle<> waiting;
    bool started_waiting = false;
    bool happened = false;
    std::stop_source stop;
    coro::chain_stop children_stop{stop.get_token()};
    coro::stop_watch on_stop;
    child* first_failed = nullptr;
    std::list<child> children;
};

// A child: its part, and the sink that holds the part's bytes until they are taken.
struct concurrent_parts::child final : sink {
    struct refusal final : coro::scheduled {
        explicit refusal(child& owner) noexcept : refused(owner) {}
        void run() noexcept override { refused.written(std::make_error_code(std::errc::operation_canceled)); }
        child& refused;
    };

    // The part is watched by the chain that awaits its end, and outlives it.
    struct detached_at_the_end {
        document& part;
        ~detached_at_the_end() { part.detach(); }
    };

    child(const document& whole, state& group)
        : all(group), part(*this, document::part_of{whole, false, buffering_beside(whole)}) {}

    progress write(batch&& bytes, bool, write_listener& who, std::error_code&) noexcept override {
        held = std::move(bytes);
        listener = &who;
        all.happen();
        return progress::pending;
    }
    bool synchronous() const noexcept override { return false; }
    void cancel() noexcept override {
        if (listener != nullptr && !refuse.pending())
            all.env->context->post(refuse);
    }
    void detach() noexcept override { listener = nullptr; }

    // The held bytes have been taken, or never will be.
    void written(std::error_code error) noexcept {
        refuse.withdraw();
        held.clear();
        if (write_listener* const who = std::exchange(listener, nullptr))
            who->written(error);
    }

    coro::task<> render(coro::task<> work) {
        {
            content_run run(part, std::move(work));
            co_await run;
            thrown = run.exception();
        }
        const detached_at_the_end guard{part};
        co_await drained(part, wait_for::finish);
    }
    void start(coro::task<> work) {
        chain.emplace(render(std::move(work)), coro::environment(all.env->context, &all.children_stop));
        chain->start({&child_ended, this});
    }
    static std::coroutine_handle<> child_ended(void* object) noexcept {
        auto& self = *static_cast<child*>(object);
        self.ended = true;
        if (self.part.failed() && self.all.first_failed == nullptr) {
            self.all.first_failed = &self;
            self.all.stop.request_stop();
        }
        self.all.happen();
        return nullptr;
    }

    state& all;
    batch held;
    write_listener* listener = nullptr; // while a write is pending
    refusal refuse{*this};
    std::exception_ptr thrown;
    std::uint64_t number = 0;
    bool begun = false; // something of it has been written
    bool ended = false;
    document part;
    std::optional<coro::chain<void>> chain; // destroyed first: it poisons the part
};

concurrent_parts::concurrent_parts(document& whole) : whole_(whole), state_(std::make_unique<state>()) {
    hold();
}

concurrent_parts::~concurrent_parts() {
    // What a child has written of a value that will never be whole cannot be taken back.
    if (!state_->children.empty() && state_->children.front().begun)
        whole_.keep_misuse(errc::exception_in_scope, label::of_root(), "a child of it was left half written");
    state_->on_stop.reset();
    state_.reset(); // while nothing may be written
    whole_.release();
}

void concurrent_parts::hold() noexcept {
    whole_.hold("it was written while children of it are rendered side by side");
}

coro::task<> concurrent_parts::run(coro::task<> work) {
    state_->happened = true; // to come back at once, with the environment
    co_await state::next_event{*state_};
    if (state_->env->context == nullptr)
        throw coro::no_scheduler();
    state_->on_stop.watch(
        *state_->env, [](void* all) noexcept { static_cast<state*>(all)->stop.request_stop(); }, state_.get());
    std::exception_ptr failure;
    try {
        co_await std::move(work);
    } catch (...) {
        failure = std::current_exception();
    }
    if (!failure)
        co_return;
    state_->stop.request_stop(); // what they still write is refused
    for (child& one : state_->children)
        while (one.chain && !one.ended)
            co_await state::next_event{*state_};
    std::rethrow_exception(failure);
}

document& concurrent_parts::add() {
    state_->children.emplace_back(whole_, *state_);
    state_->children.back().number = started_++;
    ++size_;
    return state_->children.back().part;
}

void concurrent_parts::start(coro::task<> work) {
    state_->children.back().start(std::move(work));
}

coro::task<> concurrent_parts::take_first() {
    child& first = state_->children.front();
    while (state_->first_failed == nullptr) {
        if (first.listener != nullptr) {
            whole_.release();
            if (!first.held.empty()) {
                if (!std::exchange(first.begun, true))
                    whole_.begin_part();
                whole_.append(std::move(first.held));
            }
            hold();
            co_await detail::written(whole_);
            first.written({});
        } else if (first.ended) {
            whole_.end_part(first.part, first.begun);
            state_->children.pop_front();
            --size_;
            co_return;
        } else {
            co_await state::next_event{*state_};
        }
    }
    const child& failed = *state_->first_failed;
    if (whole_.in_array())
        element_ended(whole_, failed.number, failed.part, failed.thrown);
    else
        part_ended(whole_, label::of_root(), failed.part, failed.thrown);
}

} // namespace detail

} // namespace sluice
