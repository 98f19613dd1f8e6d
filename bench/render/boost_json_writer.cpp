#include "writers.hpp"

#include <boost/json/src.hpp>

#include <array>
#include <map>

namespace bench {

namespace {

namespace json = boost::json;
namespace golden = sluice::golden;

json::value tree(const golden::writer& a) {
    return {{"name", a.name}, {"birthyear", a.birthyear}, {"bio", a.bio}};
}

json::value tree(const golden::article& a) {
    json::array references;
    for (const golden::reference& r : a.references)
        references.push_back({{"name", r.name}, {"url", r.url}});
    json::array comments;
    for (const golden::remark& c : a.comments)
        comments.push_back({{"author", tree(c.author)}, {"email", c.email}, {"body", c.body}, {"date", c.date}});
    return {{"article",
             {{"author", tree(a.author)},
              {"title", a.title},
              {"body", a.body},
              {"date", a.date},
              {"references", references},
              {"comments", comments}}}};
}

json::value tree(const golden::dirk_document& d) {
    json::array items;
    for (const golden::item& i : d.cached) {
        json::array subitems;
        for (const golden::subitem& s : i.subitems)
            subitems.push_back({{"f", s.f}, {"g", s.g}, {"h", s.h}, {"i", s.i}, {"j", s.j}});
        items.push_back({{"a", i.a}, {"b", i.b}, {"c", i.c}, {"d", i.d}, {"e", i.e}, {"subitems", subitems}});
    }
    return {{"cached", items}};
}

json::value tree(const std::vector<golden::collection_post>& posts) {
    json::array all;
    for (const golden::collection_post& p : posts) {
        json::array names;
        for (const std::string& name : p.commenter_names)
            names.emplace_back(name);
        json::array comments;
        for (const golden::post_comment& c : p.comments)
            comments.push_back({{"id", c.id}, {"body", c.body}});
        all.push_back({{"id", p.id}, {"body", p.body}, {"commenter_names", names}, {"comments", comments}});
    }
    return all;
}

json::value tree(const feed& f) {
    json::array rows;
    for (const feed_row& r : f.rows) {
        json::object row;
        row["id"] = r.id;
        row["price"] = r.price;
        row["score"] = r.score;
        row["active"] = r.active;
        row["title"] = r.title;
        row["text"] = r.text;
        row["note"] = r.note ? json::value(*r.note) : json::value(nullptr);
        rows.push_back(std::move(row));
    }
    return {{"rows", rows}};
}

class boost_json_competitor final : public writer {
public:
    explicit boost_json_competitor(const documents& data) : data_(data) {}
    std::size_t run(shape which) override {
        std::size_t size = 0;
        write(which, [&](json::string_view piece) { size += piece.size(); });
        return size;
    }
    std::string text(shape which) override {
        std::string all;
        write(which, [&](json::string_view piece) { all.append(piece.data(), piece.size()); });
        return all;
    }

private:
    template <class Take>
    void write(shape which, Take take) {
        serializer_.reset(&ready(which));
        while (!serializer_.done())
            take(serializer_.read(piece_.data(), piece_.size()));
    }
    // The tree is not what is measured.
    const json::value& ready(shape which) {
        auto [at, fresh] = trees_.try_emplace(which);
        if (fresh) {
            switch (which) {
            case shape::rolf:
                at->second = tree(data_.rolf);
                break;
            case shape::dirk:
                at->second = tree(data_.dirk);
                break;
            case shape::alba:
                at->second = tree(data_.alba);
                break;
            case shape::feed:
                at->second = tree(data_.feed);
                break;
            }
        }
        return at->second;
    }

    const documents& data_;
    std::map<shape, json::value> trees_;
    json::serializer serializer_;
    std::array<char, 16 * 1024> piece_;
};

} // namespace

writer& boost_json_writer(const documents& data) {
    static boost_json_competitor instance(data);
    return instance;
}

} // namespace bench
