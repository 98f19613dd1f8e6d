#pragma once
// What the forms of forms.txt speak of: a small coroutine (in prelude_task.hpp), a writer called json, and types of
// each kind that the compiler treats differently. Everything prints what it was given, so that a value which was
// destroyed too early, or a function that should not have been called, shows in the output or under AddressSanitizer.

#include "prelude_task.hpp"

#include <array>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace forms {

// Types. author is a described struct as users write it: an aggregate with members that have destructors.
struct author {
    std::string name;
    std::string url;
};
/// The same with constructors: not an aggregate.
struct author2 {
    std::string name;
    std::string url;
    author2(std::string the_name, std::string the_url) : name(std::move(the_name)), url(std::move(the_url)) {}
};
/// An aggregate with nothing to destroy.
struct point {
    int x = 0;
    int y = 0;
};
/// An aggregate of views.
struct labels {
    std::string_view left;
    std::string_view right;
};
/// An aggregate inside an aggregate.
struct book {
    author by;
    int year = 0;
};
/// An aggregate with a base.
struct signed_author : author {
    int id = 0;
};
/// A class with constructors that holds an aggregate.
struct boxed {
    author inside;
    explicit boxed(const std::string& text) : inside{text, text} {}
};
/// An aggregate whose destructor the user wrote.
struct noisy {
    std::string text;
    ~noisy() { std::cout << "~" << text.size() << " "; }
};

// Printing.
inline void print(const std::string& text) {
    std::cout << text.size() << (text.empty() ? "" : text.substr(text.size() - 1)) << " ";
}
inline void print(std::string_view text) {
    print(std::string(text));
}
inline void print(const char* text) {
    print(std::string(text));
}
inline void print(int number) {
    std::cout << number << " ";
}
inline void print(bool truth) {
    std::cout << (truth ? "true " : "false ");
}
inline void print(std::size_t number) {
    std::cout << number << " ";
}
inline void print(const author& value) {
    print(value.name);
    print(value.url);
}
inline void print(const author2& value) {
    print(value.name);
    print(value.url);
}
inline void print(const point& value) {
    std::cout << value.x << "," << value.y << " ";
}
inline void print(const labels& value) {
    print(value.left);
    print(value.right);
}
inline void print(const book& value) {
    print(value.by);
    print(value.year);
}
inline void print(const signed_author& value) {
    print(static_cast<const author&>(value));
    print(value.id);
}
inline void print(const boxed& value) {
    print(value.inside);
}
inline void print(const noisy& value) {
    print(value.text);
}
inline void print(const counted& value) {
    print(value.text);
}
template <class T>
void print(const std::optional<T>& value) {
    if (value)
        print(*value);
    else
        std::cout << "none ";
}
template <class T>
void print(const std::vector<T>& values) {
    for (const T& value : values)
        print(value);
}
inline void print(std::initializer_list<std::string> values) {
    for (const std::string& value : values)
        print(value);
}
template <class T, std::size_t Size>
void print(const std::array<T, Size>& values) {
    for (const T& value : values)
        print(value);
}
template <class K, class V>
void print(const std::map<K, V>& values) {
    for (const auto& [key, value] : values) {
        print(key);
        print(value);
    }
}
template <class A, class B>
void print(const std::pair<A, B>& value) {
    print(value.first);
    print(value.second);
}
template <class A, class B>
void print(const std::variant<A, B>& value) {
    std::visit([](const auto& held) { print(held); }, value);
}
template <class T>
void print(const std::unique_ptr<T>& value) {
    print(*value);
}
template <class... T>
void print(const std::tuple<T...>& value) {
    std::apply([](const T&... held) { (print(held), ...); }, value);
}

// The writer: call it with a key and a value, or put several with plain code.
struct fields {
    template <class T>
    void operator()(std::string_view key, const T& value) const {
        print(key);
        print(value);
    }
};
struct slot_like {
    template <class T>
    gate operator()(const T& value) const {
        print(value);
        return {};
    }
};
struct writer {
    template <class T>
    gate operator()(std::string_view key, const T& value) const {
        print(key);
        print(value);
        return {};
    }
    template <class F>
    gate put(F&& writes) const {
        fields to;
        writes(to);
        return {};
    }
    slot_like operator[](std::string_view key) const {
        print(key);
        return {};
    }
    template <class R, class F>
    task each(const R& range, F write) const {
        for (const auto& element : range)
            co_await write(slot_like{}, element);
    }
    gate list(std::initializer_list<std::string> values) const {
        print(values);
        return {};
    }
    gate numbers(std::initializer_list<int> values) const {
        for (int value : values)
            print(value);
        return {};
    }
    gate span_of(std::initializer_list<std::string_view> values) const {
        for (std::string_view value : values)
            print(value);
        return {};
    }
};

// Plain functions.
inline std::string up(const std::string& text) {
    std::cout << "up ";
    return text + "U";
}
inline author make_author(const std::string& text) {
    return author{text, text};
}
inline std::string bad(const std::string&) {
    throw 1;
}
inline const std::string& same(const std::string& text) {
    return text;
}
inline bool longer(const std::string& text, std::size_t than) {
    return text.size() > than;
}
inline int number_of(const std::string& text) {
    std::cout << "number_of ";
    return static_cast<int>(text.size());
}
inline int by_value(std::string text) {
    std::cout << "by_value ";
    return static_cast<int>(text.size());
}
/// Reads through a pointer that may be null: says so when it was called with one, where a program would crash.
inline std::string nm(const author* from) {
    if (from == nullptr) {
        std::cout << "[CALLED WITH NULL] ";
        return "";
    }
    return from->name;
}
/// Says that it ran and reads through its argument: a trivial temporary whose making is not free of effects.
inline std::string_view view_of(const std::string& text) {
    std::cout << "view_of ";
    return text;
}
inline std::string_view view_of(const author* from) {
    if (from == nullptr) {
        std::cout << "[CALLED WITH NULL] ";
        return "";
    }
    return from->name;
}
inline point make_point(int x) {
    std::cout << "make_point ";
    return {x, x};
}
inline const point at{1, 2};
inline std::size_t holds(const author& by) {
    return by.name.size();
}
inline int sum(point of) {
    return of.x + of.y;
}
inline counted make_counted(const std::string& text) {
    return counted(text);
}

// Coroutines and functions that return an awaitable.
inline task tstr(std::string text) {
    print(text);
    co_await gate{};
    print(text);
}
inline task tref(const std::string& text) {
    print(text);
    co_await gate{};
    print(text);
}
inline task tdef(std::string text, std::string more = "a default argument beyond the small buffer") {
    print(text);
    co_await gate{};
    print(more);
}
inline task tdefagg(std::string text, author by = {"a default name beyond the small buffer", "and a default address"}) {
    print(text);
    co_await gate{};
    print(by);
}
inline task tdefref(const std::string& text, const std::string& more = "a default argument beyond the small buffer") {
    print(text);
    co_await gate{};
    print(more);
}
inline task tdefcond(std::string text, std::string more = suspends ? std::string("suspends, beyond the small buffer")
                                                                   : up("ready, and beyond the small buffer")) {
    print(text);
    co_await gate{};
    print(more);
}
inline task tagg(author by) {
    print(by);
    co_await gate{};
    print(by);
}
inline task taggref(const author& by) {
    print(by);
    co_await gate{};
    print(by);
}
inline task tpoint(point at) {
    co_await gate{};
    print(at);
}
inline task tlabels(labels of) {
    co_await gate{};
    print(of);
}
inline task tptr(std::unique_ptr<std::string> text) {
    co_await gate{};
    print(*text);
}
inline task tshared(std::shared_ptr<std::string> text) {
    co_await gate{};
    print(*text);
}
struct fkey {
    std::string text;
    template <class... T>
    explicit fkey(const T&...) : text("a key beyond the small buffer optimisation") {}
};
struct ttl {
    std::chrono::seconds time;
    explicit ttl(std::chrono::seconds from) : time(from) {}
};
template <class F>
task tkey(fkey key, ttl time, F body) {
    co_await gate{};
    print(key.text);
    print(static_cast<int>(time.time.count()));
    co_await body(1);
}
template <class F>
task tcall(F body) {
    co_await gate{};
    co_await body();
}
template <class F>
task tcallref(F&& body) {
    co_await gate{};
    co_await body();
}
/// Not a coroutine: calls at once.
template <class F>
gate now(F&& body) {
    body();
    return {};
}
/// Functions that return a closure: its captures have a destructor, but it is the result of a call.
inline auto maker(std::string text) {
    return [text]() -> task {
        co_await gate{};
        print(text);
    };
}
inline auto maker_of(std::string text) {
    return [text] { return text; };
}
inline task_of<std::vector<std::string>> tvec(std::string text) {
    co_await gate{};
    co_return std::vector<std::string>(2, text);
}
inline task_of<std::string> tval(std::string text) {
    co_await gate{};
    co_return text + "v";
}
inline task_of<int> tint(int number) {
    co_await gate{};
    co_return number;
}
inline task_of<bool> tbool(bool truth) {
    co_await gate{};
    co_return truth;
}
inline task_of<author> tauthor(std::string text) {
    co_await gate{};
    co_return author{text, text};
}
inline task_of<std::unique_ptr<std::string>> tunique(std::string text) {
    co_await gate{};
    co_return std::make_unique<std::string>(text);
}
inline task_of<std::optional<std::string>> topt(std::string text) {
    co_await gate{};
    co_return text;
}
inline task tthrow(std::string text) {
    print(text);
    co_await gate{};
    throw 1;
}
/// An awaiter that is an aggregate with a destructor.
struct aggregate_awaiter {
    std::string text;
    bool await_ready() const noexcept { return !suspends; }
    void await_suspend(std::coroutine_handle<> caller) const noexcept { suspended = caller; }
    std::string await_resume() const { return text; }
};
inline aggregate_awaiter make_awaiter(const std::string& text) {
    return {text};
}
/// A builder: its functions return itself.
struct builder {
    std::string text;
    explicit builder(std::string from) : text(std::move(from)) {}
    builder&& with(const std::string& more) && {
        text += more;
        return std::move(*this);
    }
    gate write() && {
        print(text);
        return {};
    }
};

} // namespace forms
