// A chain's stop token, behind a pointer of its environment: what templates include does without <stop_token>, which
// takes longer to compile than most of what they use.
#pragma once

#include <sluice/coro/environment.hpp>

#include <stop_token>

namespace sluice::coro {

/// Owned by whoever starts the chain, next to the environment that points to it.
struct chain_stop {
    std::stop_token token;
};

/// The token of the chain; one that never asks where the chain was started without.
inline std::stop_token stop_token_of(const environment& env) noexcept {
    return env.stop != nullptr ? env.stop->token : std::stop_token();
}

inline bool stop_requested(const environment& env) noexcept {
    return env.stop != nullptr && env.stop->token.stop_requested();
}

} // namespace sluice::coro
