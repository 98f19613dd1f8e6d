// sluice::moved(x): hands a named object over to a function that keeps it, where the object is moved from later. On g++
// 12, std::move(x) in an expression with co_await is refused by our functions, because its type cannot be told from
// that of a temporary, which that compiler destroys twice.
#pragma once

#include <type_traits>
#include <utility>

namespace sluice {

/// Refers to an object that whoever takes this may move from. It does not own: the object must live until the function
/// that is given this has taken it, which our functions do before they return.
template <class T>
class moved_reference {
public:
    using value_type = T;

    explicit constexpr moved_reference(T& object) noexcept : object_(__builtin_addressof(object)) {}

    /// The object as an rvalue.
    constexpr T&& get() const noexcept { return static_cast<T&&>(*object_); }

private:
    T* object_;
};

/// Marks a named object as given away: `co_await json["a"].each(range, sluice::moved(write))`. Right on every compiler.
template <class T>
    requires(!std::is_const_v<T>)
[[nodiscard]] constexpr moved_reference<T> moved(T& object) noexcept {
    return moved_reference<T>(object);
}

/// A temporary needs no moved(), and would be destroyed before it is taken.
template <class T>
    requires(!std::is_lvalue_reference_v<T>)
void moved(T&&) = delete;

namespace detail {

template <class T>
struct taken {
    using type = std::remove_cvref_t<T>;
    static constexpr T&& forward(std::remove_reference_t<T>& given) noexcept { return static_cast<T&&>(given); }
};
template <class T, class U>
    requires std::is_same_v<std::remove_cvref_t<T>, moved_reference<U>>
struct moved_taken {
    using type = U;
    static constexpr U&& forward(const moved_reference<U>& given) noexcept { return given.get(); }
};
template <class T>
    requires requires { typename std::remove_cvref_t<T>::value_type; } &&
             std::is_same_v<std::remove_cvref_t<T>, moved_reference<typename std::remove_cvref_t<T>::value_type>>
struct taken<T> : moved_taken<T, typename std::remove_cvref_t<T>::value_type> {};

/// What a function that keeps a copy of its parameter T&& keeps: the value's type, without moved().
template <class T>
using taken_t = typename taken<T>::type;

/// The value to make that copy from: forwards, and looks through moved().
template <class T>
constexpr decltype(auto) take(std::remove_reference_t<T>& given) noexcept {
    return taken<T>::forward(given);
}

template <class T>
inline constexpr bool is_moved = !std::is_same_v<taken_t<T>, std::remove_cvref_t<T>>;
/// How a value given as T&& is held: a reference to an lvalue, or the value of a temporary or of moved().
template <class T>
using held_type = std::conditional_t<std::is_lvalue_reference_v<T> && !is_moved<T>, T, taken_t<T>>;

} // namespace detail
} // namespace sluice
