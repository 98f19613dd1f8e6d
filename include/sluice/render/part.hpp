// A part of a document that is rendered by itself: a value, the pairs of an object, or the elements of an array.
#pragma once

#include <sluice/coro/task.hpp>
#include <sluice/render/array.hpp>
#include <sluice/render/document.hpp>
#include <sluice/render/object.hpp>
#include <sluice/render/render.hpp>
#include <sluice/render/slot.hpp>

#include <concepts>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

// g++ 12 warns of the frame of a coroutine template whose argument is a local type, wrongly: frames have no linkage.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif

namespace sluice::detail {

struct part_access {
    static object pairs(document& part) { return object(part, open_part()); }
    static array elements(document& part) { return array(part, open_part()); }
};

/// Calls `write` with the place of the part, a slot, an object or an array, and awaits what it returns.
template <class Place, class Write>
coro::task<> call_part(document& part, Write write) {
    using argument = std::conditional_t<std::same_as<Place, slot>, slot, Place&>;
    static_assert(std::invocable<Write&, argument>,
                  "sluice: a value's is called with a slot, an object's with an object&, an array's with an array&");
    if constexpr (std::invocable<Write&, argument>) {
        static_assert(!std::is_void_v<std::invoke_result_t<Write&, argument>>, SLUICE_NOTHING_TO_AWAIT);
        if constexpr (std::same_as<Place, slot>) {
            co_await write(slot_access::root(part));
        } else if constexpr (std::same_as<Place, object>) {
            object json = part_access::pairs(part);
            co_await write(json);
        } else {
            array list = part_access::elements(part);
            co_await write(list);
        }
    }
}

/// A callable that stays where it is.
template <class Write>
struct callable_reference {
    Write& write;
    template <class Place>
    decltype(auto) operator()(Place&& place) const {
        return write(static_cast<Place&&>(place));
    }
};

/// Throws what the part's template threw. Misuse of the part is misuse of the whole, at the part's place in it: at
/// `name`, or, of a child that is an element, at this one.
void part_ended(document& whole, label name, const document& part, const std::exception_ptr& thrown);
void element_ended(document& whole, std::uint64_t index, const document& part, const std::exception_ptr& thrown);

} // namespace sluice::detail

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
