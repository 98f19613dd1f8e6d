// Views and the context of a render.
#include "expect_failure.hpp"
#include "runner.hpp"
#include <sluice/render/view.hpp>
#include <sluice/sluice.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace sluice::test {

namespace {

struct url_maker {
    std::string base;
    std::string operator()(int id) const { return base + std::to_string(id); }
};

task<> leaf(slot out, int id) {
    auto json = out.object();
    co_await json("url", json.context<const url_maker>()(id));
}
task<> branch(slot out, int id) {
    auto list = out.array();
    co_await leaf(list.next(), id);
    co_await leaf(list.next(), id + 1);
}
task<> root(slot out) {
    auto json = out.object();
    co_await branch(json["branch"], 1);
}

// A template that says which it is.
auto says(std::string what) {
    return [what](slot out, int id) { return out(what + " " + std::to_string(id)); };
}

std::string pick(const view<int>& what, const view_options& wanted) {
    return to_string([&](slot out) { return what(std::move(out), 1, wanted); });
}

} // namespace

TEST(ContextTest, AHelperIsReachedThreeTemplatesDeep) {
    const url_maker urls{"http://x/"};
    EXPECT_EQ(to_string(with_context(root, urls)), R"({"branch":[{"url":"http://x/1"},{"url":"http://x/2"}]})");
}

TEST(ContextTest, ItIsReachedThroughLayoutsCapturesAndAnyHandle) {
    url_maker urls{"u"};
    int viewer = 7;
    const auto wrap = [](slot out) -> layout {
        auto json = out.object();
        co_await json("by", json.context<int>());
        co_yield json["data"];
    };
    const auto inside = [](slot out) -> task<> {
        out.context<url_maker>().base = "changed";
        auto list = out.array();
        co_await list.list(list.context<const url_maker>()(1));
        const std::string captured = co_await list.capture(
            [](array& part) -> task<> { co_await part.list(part.context<const url_maker>()(2)); });
        co_await list.splice(captured);
        co_await list.list(list.find_context<std::string>() == nullptr);
    };
    EXPECT_EQ(to_string(with_context(in_layout(wrap, inside), urls, viewer)),
              R"({"by":7,"data":["changed1","changed2",true]})");
}

TEST(ContextTest, WhatWasGivenAsConstIsFoundAsConstOnly) {
    const int viewer = 7;
    const auto look = [](slot out) {
        const bool found = out.find_context<int>() != nullptr;
        const bool found_const = out.find_context<const int>() != nullptr;
        return out(std::string(found ? "y" : "n") + (found_const ? "y" : "n"));
    };
    EXPECT_EQ(to_string(with_context(look, viewer)), "\"ny\"");
    int other = 8;
    EXPECT_EQ(to_string(with_context(look, other)), "\"yy\"");
}

TEST(ContextTest, AMissingOneIsAnErrorThatNamesTheType) {
    expect_failure(root, errc::no_context, "$.branch[0]");
    EXPECT_NE(render_plain(root).result.message().find("url_maker"), std::string::npos)
        << render_plain(root).result.message();
}

TEST(ContextTest, ItWrapsAWholeRenderOnly) {
    int viewer = 7;
    expect_failure(
        [&](slot out) -> task<> {
            auto json = out.object();
            auto part = with_context([](slot place) { return place(1); }, viewer);
            co_await part(json["part"]);
        },
        errc::not_at_root, "$.part");
}

TEST(ViewTest, AVariantIsChosenAtRunTimeWithItsFallbacks) {
    view<int> post("post", says("default"));
    post.add(view_options().locale("de"), says("de"))
        .add(view_options().locale("de-CH"), says("de-CH"))
        .add(view_options().variant("grid"), says("grid"))
        .add(view_options().variant("list"), says("list"))
        .add(view_options().locale("de").variant("grid"), says("de grid"))
        .add(view_options().format("csv"), says("csv"));
    const auto wanted = [] { return view_options(); };
    EXPECT_EQ(pick(post, wanted()), "\"default 1\"");
    EXPECT_EQ(pick(post, wanted().locale("de")), "\"de 1\"");
    EXPECT_EQ(pick(post, wanted().locale("de-CH")), "\"de-CH 1\"");
    EXPECT_EQ(pick(post, wanted().locale("de-AT")), "\"de 1\"");
    EXPECT_EQ(pick(post, wanted().locale("de_AT_x")), "\"de 1\"");
    EXPECT_EQ(pick(post, wanted().locale("fr")), "\"default 1\"");
    EXPECT_EQ(pick(post, wanted().variant("grid")), "\"grid 1\"");
    EXPECT_EQ(pick(post, wanted().variant("tablet")), "\"default 1\"");
    EXPECT_EQ(pick(post, wanted().variant("tablet").variant("list").variant("grid")), "\"list 1\"");
    EXPECT_EQ(pick(post, wanted().locale("de").variant("grid")), "\"de grid 1\"");
    EXPECT_EQ(pick(post, wanted().locale("de-CH").variant("grid")), "\"de-CH 1\""); // the locale weighs most
    EXPECT_EQ(pick(post, wanted().locale("fr").variant("grid")), "\"grid 1\"");
    EXPECT_EQ(pick(post, wanted().format("csv").variant("grid")), "\"csv 1\"");
    EXPECT_EQ(pick(post, wanted().format("xml")), "\"default 1\"");
    EXPECT_EQ(pick(post, wanted().set("locale", "de").set("variant", "grid").set("format", "json")), "\"de grid 1\"");
}

TEST(ViewTest, ItWritesWhereAFunctionDoesAndInCollections) {
    const view<int> post("post", says("post"));
    const auto whole = [&](slot out) -> task<> {
        auto json = out.object();
        co_await post(json["one"], 1);
        const std::vector<int> ids = {2, 3};
        co_await json["many"].each(ids, post);
    };
    EXPECT_EQ(to_string(whole), R"({"one":"post 1","many":["post 2","post 3"]})");
}

TEST(ViewTest, TheContextsOptionsHoldWhereACallSaysNothing) {
    view<int> post("post", says("default"));
    post.add(view_options().locale("de"), says("de"));
    const view_options german = view_options().locale("de");
    const auto whole = [&](slot out) -> task<> {
        auto list = out.array();
        co_await post(list.next(), 1);
        co_await post(list.next(), 2, view_options());
    };
    EXPECT_EQ(to_string(with_context(whole, german)), R"(["de 1","default 2"])");
    EXPECT_EQ(to_string(whole), R"(["default 1","default 2"])");
}

TEST(ViewTest, WithoutADefaultSomethingHasToFit) {
    view<int> post("posts/post");
    post.add(view_options().locale("de"), says("de"));
    EXPECT_EQ(pick(post, view_options().locale("de")), "\"de 1\"");
    try {
        pick(post, view_options().locale("fr").variant("grid"));
        FAIL();
    } catch (const no_view_error& thrown) {
        EXPECT_EQ(thrown.code(), errc::no_view);
        EXPECT_NE(std::string(thrown.what())
                      .find(R"(the view "posts/post" has no template for locale "fr", variant "grid" and no default)"),
                  std::string::npos)
            << thrown.what();
    }
}

TEST(ViewTest, ASetFindsViewsByNameOrNamesTheNearest) {
    const view_set<int> views{view<int>("posts/post", says("post")), view<int>("posts/card", says("card")),
                              view<int>("users/user", says("user")), view<int>("posts/poster", says("poster"))};
    EXPECT_EQ(pick(views["posts/card"], {}), "\"card 1\"");
    try {
        static_cast<void>(views["posts/pots"]);
        FAIL();
    } catch (const no_view_error& thrown) {
        EXPECT_NE(std::string(thrown.what()).find(R"(there is no view "posts/pots"; the nearest: "posts/post", )"),
                  std::string::npos)
            << thrown.what();
    }
    EXPECT_THROW((view_set<int>{view<int>("a", says("a")), view<int>("a", says("b"))}), std::invalid_argument);
    const view_set<int> none{};
    EXPECT_THROW(static_cast<void>(none["a"]), no_view_error);
}

TEST(ViewTest, AnUnknownOptionNamesTheNearest) {
    try {
        view_options().set("lokale", "de");
        FAIL();
    } catch (const no_view_error& thrown) {
        EXPECT_NE(std::string(thrown.what()).find(R"(there is no view option "lokale"; the nearest: "locale")"),
                  std::string::npos)
            << thrown.what();
    }
}

TEST(ViewTest, AVariantThatCannotBeToldFromAnotherIsRefused) {
    view<int> post("post", says("a"));
    EXPECT_THROW(post.add(view_options(), says("b")), std::invalid_argument);
    EXPECT_THROW(post.add(view_options().variant("a").variant("b"), says("c")), std::invalid_argument);
}

} // namespace sluice::test
