// sluice::task, the coroutine type of templates.
#pragma once

#include <sluice/coro/async_generator.hpp>
#include <sluice/coro/task.hpp>

namespace sluice {

template <class T = void>
using task = coro::task<T>;

template <class T>
using async_generator = coro::async_generator<T>;

} // namespace sluice
