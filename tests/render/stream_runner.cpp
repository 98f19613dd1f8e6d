#include "stream_runner.hpp"

#include <sluice/net/executor_scheduler.hpp>
#include <sluice/net/stream_sink.hpp>
#include <sluice/testing/simulated_stream.hpp>
#include <sluice/testing/simulation.hpp>

namespace sluice::test {

outcome render_over_stream(content what, render_options options, std::size_t chunk, std::size_t mark,
                           std::vector<std::size_t> steps) {
    chunk_pool pool(chunk);
    outcome came;
    {
        testing::simulation sim;
        sim.limit_steps(1'000'000'000);
        testing::simulated_stream stream(sim.executor());
        const testing::simulated_client client = stream.client();
        stream.client().accepts_in_turn(std::move(steps));
        net::stream_sink<testing::simulated_stream> sink(stream);
        net::executor_scheduler scheduler(sim.executor());
        coro::chain<render_result> chain(render(sink, std::move(what), buffered_by(options, pool, mark)),
                                         coro::environment(&scheduler));
        chain.start({[](void*) noexcept { return std::coroutine_handle<>(); }, nullptr});
        sim.run();
        came.stalled = !chain.finished();
        came.bytes = client.received();
        if (!came.stalled)
            came.result = chain.result();
        if (client.overlapping_operations() != 0)
            came.misuse = "operations overlap";
    }
    came.peak = pool.peak_bytes_in_use();
    return came;
}

} // namespace sluice::test
