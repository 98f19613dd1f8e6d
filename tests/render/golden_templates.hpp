// Templates of the golden documents (tests/golden). They take their data from golden_data.hpp and splice none of it,
// save `inject`, whose point is the splice. Written in many ways, so that each form of the DSL meets bytes that
// somebody else wrote.
#pragma once

#include "golden_data.hpp"
#include <sluice/sluice.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sluice::golden {

// ---- benchmarks ------------------------------------------------------------------------------------------------

// A coroutine for each nested element and a co_await for each field.
inline task<> write_writer(slot out, const writer& w) {
    auto json = out.object();
    co_await json("name", w.name);
    co_await json("birthyear", w.birthyear);
    co_await json("bio", w.bio);
}

inline task<> write_remark(slot out, const remark& c) {
    auto json = out.object();
    co_await write_writer(json["author"], c.author);
    co_await json("email", c.email);
    co_await json("body", c.body);
    co_await json("date", c.date);
}

inline task<> rolf(slot out, const article& a) {
    auto root = out.object();
    auto json = root["article"].object();
    co_await write_writer(json["author"], a.author);
    co_await json("title", a.title);
    co_await json("body", a.body);
    co_await json("date", a.date);
    {
        auto list = json["references"].array();
        for (const reference& r : a.references) {
            auto one = list.next().object();
            co_await one("name", r.name);
            co_await one("url", r.url);
        }
    }
    {
        auto list = json["comments"].array();
        for (const remark& c : a.comments)
            co_await write_remark(list.next(), c);
    }
}

inline task<> write_subitem(slot out, const subitem& s) {
    auto json = out.object();
    co_await json("f", s.f);
    co_await json("g", s.g);
    co_await json("h", s.h);
    co_await json("i", s.i);
    co_await json("j", s.j);
}

inline task<> write_item(slot out, const item& i) {
    auto json = out.object();
    co_await json("a", i.a);
    co_await json("b", i.b);
    co_await json("c", i.c);
    co_await json("d", i.d);
    co_await json("e", i.e);
    auto list = json["subitems"].array();
    for (const subitem& s : i.subitems)
        co_await write_subitem(list.next(), s);
}

inline task<> dirk(slot out, const dirk_document& d) {
    auto json = out.object();
    auto list = json["cached"].array();
    for (const item& i : d.cached)
        co_await write_item(list.next(), i);
}

inline task<> alba(slot out, const std::vector<collection_post>& posts) {
    const auto write_comment = [](slot place, const post_comment& c) -> task<> {
        auto json = place.object();
        co_await json("id", c.id);
        co_await json("body", c.body);
    };
    co_await out.each(posts, [&](slot place, const collection_post& p) -> task<> {
        auto json = place.object();
        co_await json.merge(p, only<"id", "body">);
        co_await json("commenter_names", p.commenter_names);
        co_await json["comments"].each(p.comments, write_comment);
    });
}

inline task<> transmutation_1(slot out, const organisation& o) {
    auto json = out.object();
    co_await json.merge(o);
}

inline task<> transmutation_2(slot out, const user_post& p) {
    auto json = out.object();
    co_await json.merge(p, except<"by">);
    co_await json("user", p.by);
}

inline task<> transmutation_3(slot out, const user_with_posts& u) {
    co_await out(u);
}

inline task<> transmutation_4(slot out, const std::vector<organisation>& all) {
    co_await out(all);
}

// ---- TurboStreamer's README ------------------------------------------------------------------------------------

inline task<> write_head(object& json, const message& m) {
    co_await json("content", m.content);
    co_await json.merge(m, only<"created_at", "updated_at">);
    {
        auto author = json["author"].object();
        co_await author("name", m.author.name);
        co_await author("email_address", m.author.email_address);
        co_await author("url", m.author.url);
    }
    co_await json.put([&](auto& members) {
        if (m.visitors)
            members("visitors", *m.visitors);
    });
}

inline task<> message_show(slot out, const message& m) {
    auto json = out.object();
    co_await write_head(json, m);
    {
        auto tags = json["tags"].array();
        for (const std::string& tag : m.tags)
            co_await tags.list(tag);
    }
    co_await json("comments", m.comments, only<"content", "created_at">);
    co_await json["attachments"].each(m.attachments, [](slot place, const attachment& a) -> task<> {
        auto file = place.object();
        co_await file("filename", a.filename);
        co_await file("url", a.url);
    });
}

inline task<> actionview_admin(slot out, const message& m) {
    auto json = out.object();
    co_await write_head(json, m);
}

inline task<> set(slot out, const named& who) {
    auto json = out.object();
    auto author = json["author"].object();
    co_await author("name", who.name);
}

inline task<> merge_hash(slot out, const how_to& h) {
    auto json = out.object();
    auto post = json["post"].object();
    co_await post("title", h.title);
    co_await post.merge(h.more);
}

inline task<> merge_array(slot out, const merged_list& l) {
    auto list = out.array();
    co_await list.list(l.first);
    co_await list.merge(l.more);
}

inline task<> write_comment(slot out, const comment& c) {
    if (c.spam)
        co_return;
    auto json = out.object();
    co_await json("body", c.body);
    auto author = json["author"].object();
    co_await author("first_name", c.first_name);
    co_await author("last_name", c.last_name);
}

inline task<> array_skip(slot out, const comment_list& all) {
    auto list = out.array();
    const comment spam{"buy", "Sam", "Spam", true};
    std::size_t behind = 0;
    for (const comment& c : all.shown) {
        if (behind++ == all.spam_after)
            co_await write_comment(list.next(), spam);
        co_await write_comment(list.next(), c);
    }
    if (behind == all.spam_after)
        co_await write_comment(list.next(), spam);
}

inline task<> array_extract(slot out, const std::vector<member>& all) {
    co_await out(all, only<"id", "name">);
}

inline task<> pluck(slot out, const person& p) {
    co_await out(p, only<"name", "age">);
}

inline task<> key_pluck(slot out, const person& p) {
    auto json = out.object();
    co_await json("author", p, only<"name", "age">);
}

inline task<> key_pluck_collection(slot out, const std::vector<person>& all) {
    auto json = out.object();
    co_await json("people", all, only<"name", "age">);
}

inline task<> array_values(slot out, const std::vector<int>& all) {
    co_await out(all);
}

inline task<> child(slot out, const std::vector<std::string>& contents) {
    auto json = out.object();
    auto list = json["comments"].array();
    for (const std::string& content : contents) {
        auto one = list.next().object();
        co_await one("content", content);
    }
}

inline task<> value(slot out, const std::string& text) {
    co_await out(text);
}

inline task<> inject(slot out, const injected& i) {
    auto json = out.object();
    auto author = json["author"].object();
    co_await author("attr1", i.attr1);
    co_await author.splice(i.pairs);
    co_await author("attr2", i.attr2);
}

inline task<> empty_object(slot out, const nothing&) {
    auto json = out.object();
    co_return;
}

inline task<> empty_array(slot out, const nothing&) {
    auto list = out.array();
    co_return;
}

inline task<> null_or_not(slot out, const null_post& p) {
    auto json = out.object();
    co_await json.merge(p, except<"author">);
    if (p.author)
        co_await json("author", *p.author);
    else
        co_await json["author"].null();
}

// Partials are functions.
inline task<> partial(slot out, const std::vector<note>& all) {
    co_await out(all, only<"content", "created_at">);
}

inline task<> partial_local(slot out, const titled& p) {
    auto json = out.object();
    co_await json.merge(p, only<"id", "title">);
}

inline task<> partial_collection(slot out, const std::vector<titled>& all) {
    co_await out.each(all, &partial_local);
}

inline task<> partial_key(slot out, const key_partial& k) {
    auto json = out.object();
    co_await json("n", k.n);
    co_await json["comments"].each(k.comments, &partial_local);
    co_await json("m", k.m);
}

// Key formats, from the whole document's to a container's own.
inline task<> key_format_camelize(slot out, const std::string& first_name) {
    auto json = out.object(keys::camel());
    co_await json("first_name", first_name);
}

inline task<> key_format_global(slot out, const resident& r) {
    auto json = out.object(keys::camel_rails());
    co_await json("first_name", r.first_name);
    {
        auto home = json["home_address"].object();
        co_await home("zip_code", r.home_address.zip_code);
        co_await home.merge(r.home_address, only<"street_name">);
    }
    // In the order of the original's hash.
    co_await json.merge(r.more, only<"nick_name">);
    co_await json.merge(r.more, only<"deep_hash">);
}

inline task<> key_format_upcase(slot out, const person& p) {
    auto json = out.object(keys::upper());
    auto author = json["author"].object();
    co_await author("name", p.name);
    co_await author.merge(p, only<"age">);
}

inline task<> key_format_scope(slot out, const levels& l) {
    auto json = out.object();
    {
        auto inner = json["level2"].object(keys::upper());
        co_await inner("value", l.value);
    }
    co_await json("level1", l.level1);
}

// Layouts.
inline layout with_meta(slot out, const int& version) {
    auto json = out.object();
    {
        auto meta = json["meta"].object();
        co_await meta("version", version);
    }
    co_yield json["data"];
}

inline layout behind_first(slot out) {
    auto list = out.array();
    {
        auto first = list.next().object();
        co_await first("first", true);
    }
    co_yield list.next();
}

inline layout alone(slot out) {
    co_yield std::move(out);
}

inline layout twice(slot out) {
    auto list = out.array();
    co_yield list.next();
    co_yield list.next();
}

inline layout without_yield(slot out, const int& version) {
    auto json = out.object();
    auto meta = json["meta"].object();
    co_await meta("version", version);
}

// A template for a layout: of the posts.
inline auto titles(const std::vector<titled>& posts) {
    return [&posts](slot out) -> task<> { co_await out(posts, only<"id", "title">); };
}

inline task<> yield(slot out, const laid_page& page) {
    auto laid = in_layout(with_meta, titles(page.posts), page.version);
    co_await laid(std::move(out));
}

inline task<> yield_in_array(slot out, const std::vector<titled>& posts) {
    auto laid = in_layout(behind_first, titles(posts));
    co_await laid(std::move(out));
}

inline task<> yield_only(slot out, const std::vector<titled>& posts) {
    auto laid = in_layout(alone, titles(posts));
    co_await laid(std::move(out));
}

inline task<> yield_twice(slot out, const std::vector<titled>& posts) {
    auto laid = in_layout(twice, titles(posts));
    co_await laid(std::move(out));
}

inline task<> yield_twice_counter(slot out, const nothing&) {
    int runs = 0;
    const auto counted = [&runs](slot place) -> task<> {
        auto json = place.object();
        co_await json("run", ++runs);
    };
    auto laid = in_layout(twice, counted);
    co_await laid(std::move(out));
}

inline task<> yield_never(slot out, const versioned& v) {
    const auto never_run = [](slot place) { return place("never"); };
    auto laid = in_layout(without_yield, never_run, v.version);
    co_await laid(std::move(out));
}

} // namespace sluice::golden
