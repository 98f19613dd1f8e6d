#include <sluice/gcc12.hpp>

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace {

using sluice::detail::closure;
using sluice::detail::risky_temporary;

struct author {
    std::string name;
};
struct point {
    int x;
};
struct author_with_constructor {
    explicit author_with_constructor(std::string the_name) : name(std::move(the_name)) {}
    std::string name;
};
template <class T>
struct keeps {
    T kept;
    void operator()() const {}
};
struct lambda_by_name {
    std::string text;
    void operator()() const {}
};

template <class T>
constexpr bool refuses(T&&) {
    return risky_temporary<T>;
}

template <class T>
auto from_a_template(const T& value) {
    return [value](auto) { return value; };
}

TEST(Gcc12Test, ClosuresAreTold) {
    std::string text = "text";
    auto copies = [text] { return text; };
    auto generic = [text](auto... any) { return (sizeof(any) + ... + text.size()); };
    auto changes = [text]() mutable { return text += "x"; };
    auto takes = [text](const std::function<int(std::pair<int, int>)>&, int (*)(bool)) noexcept { return text; };
    auto nested = [](int) { return [](std::string inner) { return [inner] { return inner; }; }; }(1)("x");
    auto typed = [text]<class T>(T) -> std::string { return text; };
    EXPECT_TRUE(closure<decltype(copies)>);
    EXPECT_TRUE(closure<decltype(generic)>);
    EXPECT_TRUE(closure<decltype(changes)>);
    EXPECT_TRUE(closure<decltype(takes)>);
    EXPECT_TRUE(closure<decltype(nested)>);
    EXPECT_TRUE(closure<decltype(typed)>);
    EXPECT_TRUE(closure<decltype(from_a_template(std::array<std::string, 2>{}))>);
    EXPECT_TRUE(closure<decltype(from_a_template(copies))>);
}

TEST(Gcc12Test, OtherCallablesAreNoClosures) {
    std::string text = "text";
    auto copies = [text] { return text; };
    auto declares = [] {
        struct inner {
            std::string text;
            void operator()() const {}
        };
        return inner{};
    };
    EXPECT_FALSE(closure<keeps<decltype(copies)>>);
    EXPECT_FALSE((closure<std::pair<int, decltype(copies)>>));
    EXPECT_FALSE(closure<lambda_by_name>);
    EXPECT_FALSE(closure<decltype(declares())>);
    EXPECT_FALSE(closure<std::function<void()>>);
    EXPECT_FALSE(closure<decltype(std::bind(copies))>);
    EXPECT_FALSE(closure<void (*)()>);
    EXPECT_FALSE(closure<int>);
}

TEST(Gcc12Test, RvaluesWithSomethingToDestroyTwiceAreRisky) {
    std::string text = "text";
    EXPECT_TRUE(refuses(author{text}));
    EXPECT_TRUE(refuses(std::array<std::string, 2>{}));
    EXPECT_TRUE(refuses([text] { return text; }));
    EXPECT_TRUE(refuses([kept = std::make_unique<int>(1)] { return *kept; }));
    EXPECT_TRUE(refuses(keeps<std::string>{text}));
}

TEST(Gcc12Test, WhatIsNamedOrTrivialOrHasAConstructorIsNotRisky) {
    std::string text = "text";
    author named{text};
    auto copies = [text] { return text; };
    EXPECT_FALSE(refuses(named));
    EXPECT_FALSE(refuses(std::as_const(named)));
    EXPECT_FALSE(refuses(copies));
    EXPECT_FALSE(refuses(sluice::moved(copies)));
    EXPECT_FALSE(refuses([&] { return text; }));
    EXPECT_FALSE(refuses([] { return 1; }));
    EXPECT_FALSE(refuses(point{1}));
    EXPECT_FALSE(refuses(author_with_constructor(text)));
    EXPECT_FALSE(refuses(std::function<std::string()>(copies)));
    EXPECT_FALSE(refuses(std::string("text")));
    EXPECT_FALSE(refuses("text"));
}

TEST(Gcc12Test, OnlyAffectedCompilersRefuse) {
#if defined(__clang__) || __GNUC__ >= 13
    EXPECT_FALSE(sluice::detail::refused_temporary<author>);
#else
    EXPECT_TRUE(sluice::detail::refused_temporary<author>);
#endif
}

/// Keeps what it is given, as the library's functions do.
template <class T>
auto keep(T&& given) {
    return sluice::detail::taken_t<T>(sluice::detail::take<T>(given));
}

TEST(MovedTest, TheObjectIsMovedFrom) {
    auto named = std::make_unique<int>(3);
    const int* object = named.get();
    auto kept = keep(sluice::moved(named));
    static_assert(std::is_same_v<decltype(kept), std::unique_ptr<int>>);
    EXPECT_EQ(kept.get(), object);
    EXPECT_EQ(named, nullptr);
}

TEST(MovedTest, ANamedMarkMovesToo) {
    auto named = std::make_unique<int>(3);
    auto mark = sluice::moved(named);
    auto kept = keep(mark);
    EXPECT_EQ(*kept, 3);
    EXPECT_EQ(named, nullptr);
}

TEST(MovedTest, WithoutItANameIsCopiedAndATemporaryMoved) {
    std::string named = "a name";
    EXPECT_EQ(keep(named), "a name");
    EXPECT_EQ(named, "a name");
    EXPECT_EQ(*keep(std::make_unique<int>(4)), 4);
}

template <class T>
concept movable_mark = requires(T&& given) { sluice::moved(std::forward<T>(given)); };

TEST(MovedTest, TemporariesAndConstantsAreRefused) {
    EXPECT_TRUE(movable_mark<std::string&>);
    EXPECT_FALSE(movable_mark<std::string>);
    EXPECT_FALSE(movable_mark<const std::string&>);
    EXPECT_FALSE(movable_mark<const std::string>);
}

} // namespace
