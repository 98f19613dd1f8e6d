#include "writers.hpp"
#include <sluice/coro/sync_wait.hpp>
#include <sluice/sluice.hpp>

#include <functional>
#include <stdexcept>

namespace bench {

namespace {

using sluice::slot;
using sluice::task;
namespace golden = sluice::golden;

// Chunks of 64 KiB, the buffer that the figures of the other streaming writers were taken with.
sluice::chunk_pool chunks(64 * 1024);

class discarding_sink final : public sluice::synchronous_sink {
public:
    std::size_t size() const noexcept { return size_; }

private:
    std::error_code write_now(const sluice::batch& bytes, bool) noexcept override {
        size_ += bytes.size();
        return {};
    }
    std::size_t size_ = 0;
};

// ---- a coroutine for each nested element, a co_await for each field ------------------------------------------------

task<> author(slot out, const golden::writer& a) {
    auto json = out.object();
    co_await json("name", a.name);
    co_await json("birthyear", a.birthyear);
    co_await json("bio", a.bio);
}

task<> comment(slot out, const golden::remark& c) {
    auto json = out.object();
    co_await author(json["author"], c.author);
    co_await json("email", c.email);
    co_await json("body", c.body);
    co_await json("date", c.date);
}

task<> rolf(slot out, const golden::article& a) {
    auto root = out.object();
    auto json = root["article"].object();
    co_await author(json["author"], a.author);
    co_await json("title", a.title);
    co_await json("body", a.body);
    co_await json("date", a.date);
    {
        auto list = json["references"].array();
        for (const golden::reference& r : a.references) {
            auto one = list.next().object();
            co_await one("name", r.name);
            co_await one("url", r.url);
        }
    }
    auto list = json["comments"].array();
    for (const golden::remark& c : a.comments)
        co_await comment(list.next(), c);
}

task<> subitem(slot out, const golden::subitem& s) {
    auto json = out.object();
    co_await json("f", s.f);
    co_await json("g", s.g);
    co_await json("h", s.h);
    co_await json("i", s.i);
    co_await json("j", s.j);
}

task<> dirk(slot out, const golden::dirk_document& d) {
    auto root = out.object();
    auto list = root["cached"].array();
    for (const golden::item& i : d.cached) {
        auto json = list.next().object();
        co_await json("a", i.a);
        co_await json("b", i.b);
        co_await json("c", i.c);
        co_await json("d", i.d);
        co_await json("e", i.e);
        auto subitems = json["subitems"].array();
        for (const golden::subitem& s : i.subitems)
            co_await subitem(subitems.next(), s);
    }
}

task<> post_comment(slot out, const golden::post_comment& c) {
    auto json = out.object();
    co_await json("id", c.id);
    co_await json("body", c.body);
}

task<> alba(slot out, const std::vector<golden::collection_post>& posts) {
    auto list = out.array();
    for (const golden::collection_post& p : posts) {
        auto json = list.next().object();
        co_await json("id", p.id);
        co_await json("body", p.body);
        {
            auto names = json["commenter_names"].array();
            for (const std::string& name : p.commenter_names)
                co_await names.list(name);
        }
        auto comments = json["comments"].array();
        for (const golden::post_comment& c : p.comments)
            co_await post_comment(comments.next(), c);
    }
}

task<> rows(slot out, const feed& f) {
    auto root = out.object();
    auto list = root["rows"].array();
    for (const feed_row& r : f.rows) {
        auto json = list.next().object();
        co_await json("id", r.id);
        co_await json("price", r.price);
        co_await json("score", r.score);
        co_await json("active", r.active);
        co_await json("title", r.title);
        co_await json("text", r.text);
        co_await json("note", r.note);
    }
}

task<> write_by_field(slot out, const documents& data, shape which) {
    switch (which) {
    case shape::rolf:
        return rolf(std::move(out), data.rolf);
    case shape::dirk:
        return dirk(std::move(out), data.dirk);
    case shape::alba:
        return alba(std::move(out), data.alba);
    case shape::feed:
        return rows(std::move(out), data.feed);
    }
    throw std::logic_error("no such document");
}

// ---- described structs written whole -------------------------------------------------------------------------------

task<> described_rolf(slot out, const golden::article& a) {
    auto json = out.object();
    co_await json("article", a);
}

task<> write_described(slot out, const documents& data, shape which) {
    switch (which) {
    case shape::rolf:
        return described_rolf(std::move(out), data.rolf);
    case shape::dirk:
        return out(data.dirk);
    case shape::alba:
        return out(data.alba);
    case shape::feed:
        return out(data.feed);
    }
    throw std::logic_error("no such document");
}

using template_function = task<> (*)(slot out, const documents& data, shape which);

class sluice_writer final : public writer {
public:
    sluice_writer(const documents& data, template_function function) : data_(data), function_(function) {}

    std::size_t run(shape which) override {
        discarding_sink sink;
        const auto content = [&](slot out) { return function_(std::move(out), data_, which); };
        const auto options = sluice::render_options(sluice::output_options().pool(&chunks));
        sluice::throw_if_failed(sluice::coro::sync_wait(sluice::render(sink, std::ref(content), options)));
        return sink.size();
    }
    std::string text(shape which) override {
        return sluice::to_string([&](slot out) { return function_(std::move(out), data_, which); });
    }

private:
    const documents& data_;
    template_function function_;
};

} // namespace

writer& fields_writer(const documents& data) {
    static sluice_writer instance(data, &write_by_field);
    return instance;
}

writer& described_writer(const documents& data) {
    static sluice_writer instance(data, &write_described);
    return instance;
}

} // namespace bench
