// What g++ 12 and older get wrong about coroutines, told to the type system, so that a function which is only ever
// awaited can refuse at compile time the temporaries that they destroy twice. docs/gcc12.md shows the cures.
#pragma once

#include <sluice/moved.hpp>

#include <string_view>
#include <type_traits>
#include <utility>

// 1 where the compiler destroys temporaries of a full-expression with co_await twice, when they are aggregates or
// closures with a destructor. Tried with g++ 12.2 (tests/checker/forms.txt); GCC's bugs 98401, 99576 and 107288 report
// it for 10 to 12, and 13 is the first that has it repaired. clang, which defines __GNUC__ too, is never affected.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
#define SLUICE_GCC12_COROUTINE_BUG 1
#else
#define SLUICE_GCC12_COROUTINE_BUG 0
#endif

namespace sluice::detail {

/// The signature of this function as the compiler writes it; it ends with the name of T and a bracket.
template <class T>
consteval const char* signature_of() {
    return __PRETTY_FUNCTION__;
}

/// Whether a type's name, as g++ or clang prints it, is a closure's: it ends with "<lambda(...)>" (g++, perhaps with
/// "mutable" behind it), or is all "(lambda at file:line:column)" (clang). A template that only has a closure among its
/// arguments, and a class that a lambda's body declares, are no closures.
consteval bool names_a_closure(std::string_view signature) {
    signature.remove_suffix(1); // the bracket
    if (const auto clang = signature.rfind("T = (lambda at "); clang != signature.npos)
        return signature.ends_with(')') && signature.find(')', clang) == signature.size() - 1;
    if (signature.ends_with(" mutable"))
        signature.remove_suffix(std::string_view(" mutable").size());
    if (!signature.ends_with('>'))
        return false;
    int depth = 0;
    for (auto at = signature.size(); at-- > 0;) {
        if (signature[at] == '>' && (at == 0 || signature[at - 1] != '-'))
            ++depth;
        else if (signature[at] == '<' && --depth == 0)
            return signature.substr(at).starts_with("<lambda(") || signature.substr(at) == "<lambda>";
    }
    return false;
}

/// The type of a lambda expression.
template <class T>
concept closure = std::is_class_v<T> && names_a_closure(signature_of<T>());

/// T as deduced for a forwarding reference T&&: an rvalue that an affected compiler may destroy twice when it is a
/// temporary of an expression that waits. Whether it is a temporary written in place or a call's result, which is
/// right, types do not tell.
template <class T>
concept risky_temporary = !std::is_lvalue_reference_v<T> && !std::is_trivially_destructible_v<std::remove_cvref_t<T>> &&
                          (std::is_aggregate_v<std::remove_cvref_t<T>> || closure<std::remove_cvref_t<T>>);

/// The same, on an affected compiler only: what a function that is only ever awaited refuses.
template <class T>
concept refused_temporary = (SLUICE_GCC12_COROUTINE_BUG != 0) && risky_temporary<T>;

/// What an asynchronous operation returns under a token that is awaited. Only there is a temporary argument part of an
/// expression that waits.
template <class Result>
concept awaited_result = requires(Result& result) { result.await_ready(); };

} // namespace sluice::detail

// In a function template with a forwarding parameter T&&, or a pack of them: refuses what g++ 12 would destroy twice.
// Macros, because the text of a static_assert has to be a literal in C++20.
#define SLUICE_RISKY_CALLABLE                                                                                          \
    "g++ 12 destroys the captures of a temporary lambda twice in an expression with co_await: name it on the line "    \
    "before and pass it, or sluice::moved(it)"
#define SLUICE_RISKY_VALUE                                                                                             \
    "g++ 12 destroys a temporary of aggregate type twice in an expression with co_await: name it on the line before "  \
    "and pass it, or write it with put"
// `who`, a literal, begins the message.
#define SLUICE_REFUSE_RISKY_CALLABLE_OF(who, T)                                                                        \
    static_assert(!::sluice::detail::refused_temporary<T>, who SLUICE_RISKY_CALLABLE)
#define SLUICE_REFUSE_RISKY_CALLABLE(T) SLUICE_REFUSE_RISKY_CALLABLE_OF("", T)
#define SLUICE_REFUSE_RISKY_CALLABLES(T)                                                                               \
    static_assert(!(::sluice::detail::refused_temporary<T> || ...), SLUICE_RISKY_CALLABLE)
#define SLUICE_REFUSE_RISKY_VALUE(T) static_assert(!::sluice::detail::refused_temporary<T>, SLUICE_RISKY_VALUE)
#define SLUICE_REFUSE_RISKY_VALUES(T)                                                                                  \
    static_assert(!(::sluice::detail::refused_temporary<T> || ...), SLUICE_RISKY_VALUE)
