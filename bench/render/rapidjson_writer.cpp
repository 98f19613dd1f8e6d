#include "writers.hpp"

#define RAPIDJSON_SSE2
#define RAPIDJSON_HAS_STDSTRING 1
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace bench {

namespace {

namespace golden = sluice::golden;
using json_writer = rapidjson::Writer<rapidjson::StringBuffer>;

void write(json_writer& out, const golden::writer& a) {
    out.StartObject();
    out.Key("name");
    out.String(a.name);
    out.Key("birthyear");
    out.Int(a.birthyear);
    out.Key("bio");
    out.String(a.bio);
    out.EndObject();
}

void write(json_writer& out, const golden::article& a) {
    out.StartObject();
    out.Key("article");
    out.StartObject();
    out.Key("author");
    write(out, a.author);
    out.Key("title");
    out.String(a.title);
    out.Key("body");
    out.String(a.body);
    out.Key("date");
    out.String(a.date);
    out.Key("references");
    out.StartArray();
    for (const golden::reference& r : a.references) {
        out.StartObject();
        out.Key("name");
        out.String(r.name);
        out.Key("url");
        out.String(r.url);
        out.EndObject();
    }
    out.EndArray();
    out.Key("comments");
    out.StartArray();
    for (const golden::remark& c : a.comments) {
        out.StartObject();
        out.Key("author");
        write(out, c.author);
        out.Key("email");
        out.String(c.email);
        out.Key("body");
        out.String(c.body);
        out.Key("date");
        out.String(c.date);
        out.EndObject();
    }
    out.EndArray();
    out.EndObject();
    out.EndObject();
}

void write(json_writer& out, const golden::dirk_document& d) {
    out.StartObject();
    out.Key("cached");
    out.StartArray();
    for (const golden::item& i : d.cached) {
        out.StartObject();
        out.Key("a");
        out.Int(i.a);
        out.Key("b");
        out.Int(i.b);
        out.Key("c");
        out.Int(i.c);
        out.Key("d");
        out.Int(i.d);
        out.Key("e");
        out.Int(i.e);
        out.Key("subitems");
        out.StartArray();
        for (const golden::subitem& s : i.subitems) {
            out.StartObject();
            out.Key("f");
            out.String(s.f);
            out.Key("g");
            out.String(s.g);
            out.Key("h");
            out.String(s.h);
            out.Key("i");
            out.String(s.i);
            out.Key("j");
            out.String(s.j);
            out.EndObject();
        }
        out.EndArray();
        out.EndObject();
    }
    out.EndArray();
    out.EndObject();
}

void write(json_writer& out, const std::vector<golden::collection_post>& posts) {
    out.StartArray();
    for (const golden::collection_post& p : posts) {
        out.StartObject();
        out.Key("id");
        out.Int64(p.id);
        out.Key("body");
        out.String(p.body);
        out.Key("commenter_names");
        out.StartArray();
        for (const std::string& name : p.commenter_names)
            out.String(name);
        out.EndArray();
        out.Key("comments");
        out.StartArray();
        for (const golden::post_comment& c : p.comments) {
            out.StartObject();
            out.Key("id");
            out.Int64(c.id);
            out.Key("body");
            out.String(c.body);
            out.EndObject();
        }
        out.EndArray();
        out.EndObject();
    }
    out.EndArray();
}

void write(json_writer& out, const feed& f) {
    out.StartObject();
    out.Key("rows");
    out.StartArray();
    for (const feed_row& r : f.rows) {
        out.StartObject();
        out.Key("id");
        out.Int64(r.id);
        out.Key("price");
        out.Double(r.price);
        out.Key("score");
        out.Double(r.score);
        out.Key("active");
        out.Bool(r.active);
        out.Key("title");
        out.String(r.title);
        out.Key("text");
        out.String(r.text);
        out.Key("note");
        if (r.note)
            out.String(*r.note);
        else
            out.Null();
        out.EndObject();
    }
    out.EndArray();
    out.EndObject();
}

class rapidjson_competitor final : public writer {
public:
    explicit rapidjson_competitor(const documents& data) : data_(data) {}
    std::size_t run(shape which) override {
        buffer_.Clear();
        json_writer out(buffer_);
        switch (which) {
        case shape::rolf:
            write(out, data_.rolf);
            break;
        case shape::dirk:
            write(out, data_.dirk);
            break;
        case shape::alba:
            write(out, data_.alba);
            break;
        case shape::feed:
            write(out, data_.feed);
            break;
        }
        return buffer_.GetSize();
    }
    std::string text(shape which) override {
        run(which);
        return {buffer_.GetString(), buffer_.GetSize()};
    }

private:
    const documents& data_;
    rapidjson::StringBuffer buffer_;
};

} // namespace

writer& rapidjson_writer(const documents& data) {
    static rapidjson_competitor instance(data);
    return instance;
}

} // namespace bench
