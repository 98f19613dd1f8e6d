// The data of the golden documents: what tests/golden/ORIGIN.md names, as plain structs.
//
// What is described is data that stands in the document as a value; what only decides whether something stands there (a
// viewer's rights, a mark as spam) is not described.
#pragma once

#include <boost/describe/class.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sluice::golden {

// ---- benchmarks ------------------------------------------------------------------------------------------------

struct writer {
    std::string name;
    int birthyear = 0;
    std::string bio;
};
BOOST_DESCRIBE_STRUCT(writer, (), (name, birthyear, bio))

struct reference {
    std::string name;
    std::string url;
};
BOOST_DESCRIBE_STRUCT(reference, (), (name, url))

struct remark {
    writer author;
    std::string email;
    std::string body;
    std::string date;
};
BOOST_DESCRIBE_STRUCT(remark, (), (author, email, body, date))

struct article {
    writer author;
    std::string title;
    std::string body;
    std::string date;
    std::vector<reference> references;
    std::vector<remark> comments;
};
BOOST_DESCRIBE_STRUCT(article, (), (author, title, body, date, references, comments))

inline article rolf_data() {
    const writer rolf{"Rolf", 1920, "Software developer"};
    const std::string date = "2026-11-30T12:00:00.000Z";
    article made{rolf, "Profiling Jbuilder", "How to profile Jbuilder", date, {}, {}};
    made.references.assign(100, {"Introduction to profiling", "http://example.com/"});
    made.comments.assign(100, {rolf, "rolf@example.com", "Great article", date});
    return made;
}

struct subitem {
    std::string f, g, h, i, j;
};
BOOST_DESCRIBE_STRUCT(subitem, (), (f, g, h, i, j))

struct item {
    int a = 0, b = 0, c = 0, d = 0, e = 0;
    std::vector<subitem> subitems;
};
BOOST_DESCRIBE_STRUCT(item, (), (a, b, c, d, e, subitems))

struct dirk_document {
    std::vector<item> cached;
};
BOOST_DESCRIBE_STRUCT(dirk_document, (), (cached))

inline dirk_document dirk_data() {
    dirk_document made;
    for (int n = 0; n <= 100; ++n) {
        item one{n, n, n, n, n, {}};
        std::string text;
        for (int m = 0; m <= 100; ++m) {
            one.subitems.push_back({text, text, text, text, text});
            text += std::to_string(n);
        }
        made.cached.push_back(std::move(one));
    }
    return made;
}

struct post_comment {
    std::int64_t id = 0;
    std::string body;
};
BOOST_DESCRIBE_STRUCT(post_comment, (), (id, body))

struct collection_post {
    std::int64_t id = 0;
    std::string body;
    std::vector<std::string> commenter_names;
    std::vector<post_comment> comments;
};
BOOST_DESCRIBE_STRUCT(collection_post, (), (id, body, commenter_names, comments))

inline std::vector<collection_post> alba_data() {
    std::vector<collection_post> made;
    std::int64_t comment_id = 1;
    for (int i = 0; i < 100; ++i) {
        const std::string post = std::to_string(i);
        collection_post one{i + 1, "post" + post, {}, {}};
        for (int n = 0; n < 10; ++n) {
            const std::string number = post + "_" + std::to_string(n);
            one.comments.push_back({comment_id++, "Comment1_" + number});
            one.commenter_names.push_back("John" + post);
            one.comments.push_back({comment_id++, "Comment2_" + number});
            one.commenter_names.push_back("Jane" + post);
        }
        made.push_back(std::move(one));
    }
    return made;
}

struct organisation {
    int id = 0;
    std::string name;
    std::string logo_url;
};
BOOST_DESCRIBE_STRUCT(organisation, (), (id, name, logo_url))

inline organisation transmutation_1_data() {
    return {1, "Example Inc.", "https://example.com/logos/companies/1"};
}

struct user {
    int id = 0;
    std::string first_name;
    std::string full_name;
};
BOOST_DESCRIBE_STRUCT(user, (), (id, first_name, full_name))

struct user_post {
    int id = 0;
    std::string title;
    std::string body;
    user by;
};
BOOST_DESCRIBE_STRUCT(user_post, (), (id, title, body, by))

inline user_post transmutation_2_data() {
    return {1, "Sample Post", "Sample Body", {1, "John", "John Doe"}};
}

struct short_post {
    int id = 0;
    std::string title;
    std::string body;
};
BOOST_DESCRIBE_STRUCT(short_post, (), (id, title, body))

struct user_with_posts : user {
    std::vector<short_post> posts;
};
BOOST_DESCRIBE_STRUCT(user_with_posts, (user), (posts))

inline user_with_posts transmutation_3_data() {
    user_with_posts made;
    made.id = 1;
    made.first_name = "John";
    made.full_name = "John Doe";
    made.posts = {{1, "Post 1", "Sample body 1"}, {3, "Post 3", "Sample body 3"}};
    return made;
}

inline std::vector<organisation> transmutation_4_data() {
    std::vector<organisation> made = {transmutation_1_data()};
    for (int id = 2; id <= 30; ++id) {
        const std::string number = std::to_string(id);
        made.push_back({id, "Example Inc. " + number, "https://example.com/logos/companies/" + number});
    }
    return made;
}

// ---- TurboStreamer's README ------------------------------------------------------------------------------------

struct creator {
    std::string name;
    std::string email_address;
    std::string url;
};
BOOST_DESCRIBE_STRUCT(creator, (), (name, email_address, url))

struct note {
    std::string content;
    std::string created_at;
};
BOOST_DESCRIBE_STRUCT(note, (), (content, created_at))

struct attachment {
    std::string filename;
    std::string url;
};
BOOST_DESCRIBE_STRUCT(attachment, (), (filename, url))

struct message {
    std::string content;
    std::string created_at;
    std::string updated_at;
    creator author;
    std::optional<int> visitors;
    std::vector<std::string> tags;
    std::vector<note> comments;
    std::vector<attachment> attachments;
};
BOOST_DESCRIBE_STRUCT(message, (), (content, created_at, updated_at, author, visitors, tags, comments, attachments))

inline std::vector<note> notes_data() {
    return {{"Hello everyone!", "2011-10-29T20:45:28-05:00"}, {"To you my good sir!", "2011-10-29T20:47:28-05:00"}};
}

inline message message_head_data() {
    message made;
    made.content = "<p>This is <i>serious</i> monkey business</p>";
    made.created_at = "2011-10-29T20:45:28-05:00";
    made.updated_at = "2011-10-29T20:45:28-05:00";
    made.author = {"David H.", "'David Heinemeier Hansson' <david@heinemeierhansson.com>",
                   "http://example.com/users/1-david.json"};
    made.visitors = 15;
    return made;
}

inline message message_data() {
    message made = message_head_data();
    made.tags = {"public"};
    made.comments = notes_data();
    made.attachments = {{"forecast.xls", "http://example.com/downloads/forecast.xls"},
                        {"presentation.pdf", "http://example.com/downloads/presentation.pdf"}};
    return made;
}

inline message guest_message_data() {
    message made = message_data();
    made.visitors.reset();
    return made;
}

struct person {
    std::string name;
    int age = 0;
};
BOOST_DESCRIBE_STRUCT(person, (), (name, age))

inline person david_data() {
    return {"David", 32};
}

inline std::vector<person> people_data() {
    return {{"David", 32}, {"Jamie", 31}};
}

struct member {
    int id = 0;
    std::string name;
    int age = 0; // not chosen, so not described
};
BOOST_DESCRIBE_STRUCT(member, (), (id, name))

inline std::vector<member> members_data() {
    return {{1, "David", 32}, {2, "Jamie", 31}};
}

struct named {
    std::string name;
};
BOOST_DESCRIBE_STRUCT(named, (), (name))

struct how_to {
    std::string title;
    std::map<std::string, named> more;
};
BOOST_DESCRIBE_STRUCT(how_to, (), (title, more))

inline how_to how_to_data() {
    return {"Merge HOWTO", {{"author", {"David"}}}};
}

using anything = std::variant<int, std::string, std::optional<int>, std::map<std::string, std::vector<int>>>;

struct merged_list {
    int first = 0;
    std::vector<anything> more;
};
BOOST_DESCRIBE_STRUCT(merged_list, (), (first, more))

inline merged_list merged_list_data() {
    return {0, {1, std::string("two"), std::optional<int>(), std::map<std::string, std::vector<int>>{{"a", {3}}}}};
}

struct comment {
    std::string body;
    std::string first_name;
    std::string last_name;
    bool spam = false;
};
BOOST_DESCRIBE_STRUCT(comment, (), (body, first_name, last_name))

// The spam's data is undescribed by leaving it out of the vector's visits: nothing of it stands in the document.
struct comment_list {
    std::vector<comment> shown;
    std::size_t spam_after = 0; // a comment marked as spam stands behind this many
};
BOOST_DESCRIBE_STRUCT(comment_list, (), (shown))

inline comment_list skip_data() {
    return {{{"great post...", "Joe", "Bloe", false}}, 1};
}
inline comment_list skip_middle_data() {
    return {{{"great post...", "Joe", "Bloe", false}, {"me too", "Ann", "Lee", false}}, 1};
}
inline comment_list skip_all_data() {
    return {{}, 0};
}

struct author_name {
    std::string first_name;
    std::string last_name;
};
BOOST_DESCRIBE_STRUCT(author_name, (), (first_name, last_name))

struct null_post {
    int id = 0;
    std::string title;
    std::string content;
    std::string published_at;
    std::optional<author_name> author; // none: anonymous
};
BOOST_DESCRIBE_STRUCT(null_post, (), (id, title, content, published_at, author))

inline null_post anonymous_data() {
    return {1, "Hello", "First post", "2011-10-29T20:45:28-05:00", std::nullopt};
}
inline null_post signed_data() {
    return {1, "Hello", "First post", "2011-10-29T20:45:28-05:00", author_name{"Joe", "Bloe"}};
}

struct injected {
    std::string attr1;
    std::string attr2;
    std::string pairs; // ready bytes: the point of the example
};
BOOST_DESCRIBE_STRUCT(injected, (), (attr1, attr2))

inline injected injected_data() {
    return {"value1", "value2", R"("name":"Pavel","age":30)"};
}

struct titled {
    int id = 0;
    std::string title;
};
BOOST_DESCRIBE_STRUCT(titled, (), (id, title))

inline std::vector<titled> titles_data() {
    return {{1, "Hello"}, {2, "World"}};
}

struct key_partial {
    int n = 0;
    std::vector<titled> comments;
    int m = 0;
};
BOOST_DESCRIBE_STRUCT(key_partial, (), (n, comments, m))

inline key_partial key_partial_data() {
    return {1, titles_data(), 2};
}

struct home {
    std::string zip_code;
    std::string street_name;
};
BOOST_DESCRIBE_STRUCT(home, (), (zip_code, street_name))

// What is merged: a hash of a string and a hash.
using detail = std::variant<std::string, std::map<std::string, int>>;

struct resident {
    std::string first_name;
    home home_address;
    std::map<std::string, detail> more;
};
BOOST_DESCRIBE_STRUCT(resident, (), (first_name, home_address, more))

inline resident resident_data() {
    return {"David",
            {"10001", "Main"},
            {{"nick_name", std::string("Dave")}, {"deep_hash", std::map<std::string, int>{{"not_touched", 1}}}}};
}

struct levels {
    std::string value;
    std::string level1;
};
BOOST_DESCRIBE_STRUCT(levels, (), (value, level1))

// A page in a layout.
struct laid_page {
    int version = 0;
    std::vector<titled> posts;
};
BOOST_DESCRIBE_STRUCT(laid_page, (), (version, posts))

inline std::vector<titled> yielded_data() {
    return {{1, "..."}};
}

struct versioned {
    int version = 0;
};
BOOST_DESCRIBE_STRUCT(versioned, (), (version))

struct nothing {};
BOOST_DESCRIBE_STRUCT(nothing, (), ())

} // namespace sluice::golden
