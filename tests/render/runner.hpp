// Rendering in tests: into a string, or into a sink that takes a few bytes at a time.
#pragma once

#include <sluice/coro/chain.hpp>
#include <sluice/coro/chain_stop.hpp>
#include <sluice/coro/sync_wait.hpp>
#include <sluice/output/string_sink.hpp>
#include <sluice/render/render.hpp>
#include <sluice/task.hpp>
#include <sluice/testing/holding_sink.hpp>
#include <sluice/testing/manual_clock.hpp>

#include <coroutine>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace sluice::test {

using content = std::function<task<>(slot)>;

// What came of a render.
struct outcome {
    std::string bytes;
    render_result result;
    std::size_t peak = 0; // of the bytes of chunks that were out
    std::string misuse;   // of the sink
    bool aborted = false;
    bool stalled = false; // it would never have ended
};

// A render in a chain of its own, on virtual time, into a sink that the test opens and closes.
class held_render {
public:
    template <class Content>
    held_render(Content what, render_options options, std::stop_token stop = {}) : sink(clock), stop_{std::move(stop)} {
        chain_.emplace(render(sink, std::move(what), options), coro::environment(&clock, &stop_));
    }
    held_render(const held_render&) = delete;
    held_render& operator=(const held_render&) = delete;

    void start() {
        chain_->start({[](void* object) noexcept -> std::coroutine_handle<> {
                           ++*static_cast<int*>(object);
                           return nullptr;
                       },
                       &ends_});
    }
    bool ended() const noexcept { return ends_ != 0; }
    // How often its end was reported.
    int ends() const noexcept { return ends_; }
    // Destroys the render, ended or not.
    void drop() { chain_.reset(); }
    // Of an ended render, once.
    render_result result() { return chain_->result(); }

    // Lets it run to its end, taking `step` bytes at a time. False when it stalls.
    bool finish(std::size_t step = testing::holding_sink::everything) {
        while (!ended()) {
            const std::size_t ran = clock.run_until_idle();
            if (ended())
                break;
            if (sink.accept(step) == 0 && ran == 0 && clock.run() == 0)
                return false;
        }
        return true;
    }

    testing::manual_clock clock;
    testing::holding_sink sink;

private:
    int ends_ = 0;
    const coro::chain_stop stop_;
    std::optional<coro::chain<render_result>> chain_;
};

inline render_options buffered_by(render_options options, chunk_pool& pool, std::size_t mark) {
    return options.output(output_options().pool(&pool).high_water(mark));
}

// Into a sink that takes `step` bytes at a time.
inline outcome render_slowly(content what, render_options options, std::size_t chunk, std::size_t mark,
                             std::size_t step) {
    chunk_pool pool(chunk);
    outcome came;
    {
        held_render run(std::move(what), buffered_by(options, pool, mark));
        run.start();
        came.stalled = !run.finish(step);
        came.bytes = run.sink.received();
        if (!came.stalled)
            came.result = run.result();
        came.misuse = run.sink.misuse();
        came.aborted = run.sink.aborted();
    }
    came.peak = pool.peak_bytes_in_use();
    return came;
}

// Into a string, whose sink never waits.
inline outcome render_at_once(content what, render_options options, std::size_t chunk, std::size_t mark) {
    chunk_pool pool(chunk);
    outcome came;
    string_sink sink(came.bytes);
    came.result = coro::sync_wait(render(sink, std::move(what), buffered_by(options, pool, mark)));
    came.peak = pool.peak_bytes_in_use();
    return came;
}

// With the default buffers.
inline outcome render_plain(content what, render_options options = {}) {
    return render_at_once(std::move(what), options, 16384, 32768);
}

} // namespace sluice::test
