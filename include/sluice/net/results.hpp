// results: what an operation that completes with several values gives.
#pragma once

namespace sluice::net {

/// Members, not a tuple: g++ 15 leaks structured bindings of what is tuple-like when a coroutine's frame is destroyed.
///
///     auto [first, second] = co_await operation(net::use_task);
template <class... Values>
struct results;

template <class First, class Second>
struct results<First, Second> {
    First first;
    Second second;
};

template <class First, class Second, class Third>
struct results<First, Second, Third> {
    First first;
    Second second;
    Third third;
};

template <class First, class Second, class Third, class Fourth>
struct results<First, Second, Third, Fourth> {
    First first;
    Second second;
    Third third;
    Fourth fourth;
};

} // namespace sluice::net
