#include "templates.hpp"

#include <sluice/sluice.hpp>

#include <string>
#include <string_view>

namespace package_catalog {

namespace {

using sluice::slot;
using sluice::task;

// A value may be as long as the file likes, so each member is awaited: put is for what is known to be short.
task<> write_person(slot out, const field& item) {
    std::string list;
    std::string name;
    const person someone = parse_person(list_of(item, list));
    auto json = out.object();
    co_await json("name", name_of(someone, name));
    if (someone.email)
        co_await json("email", *someone.email);
    if (!someone.rest.empty())
        co_await json("rest", someone.rest);
}

task<> write_dependency(slot out, const dependency& item) {
    auto json = out.object();
    if (!item.is_valid) {
        co_await json("unparsed", item.text);
        co_return;
    }
    co_await json("name", item.name);
    if (!item.architecture.empty())
        co_await json("architecture", item.architecture);
    if (!item.relation.empty()) {
        co_await json("relation", item.relation);
        co_await json("version", item.version);
    }
    if (!item.architectures.text().empty())
        co_await json("architectures", item.architectures);
    if (!item.profiles.text().empty())
        co_await json("profiles", item.profiles); // a range of ranges: an array of arrays
}

task<> write_dependencies(slot out, const field& item) {
    std::string list;
    const dependency_groups groups(list_of(item, list));
    co_await out.each(groups, [](slot group, const dependency_group& alternatives) {
        return group.each(alternatives, write_dependency);
    });
}

task<> write_tags(slot out, const field& item) {
    std::string list;
    std::string whole;
    auto tags = out.array();
    for (const tag& one : tag_list(list_of(item, list)))
        co_await tags.list(tag_of(one, whole));
}

// Line by line, so that a text of any length takes no memory of ours.
task<> write_text(slot out, const field& item) {
    if (!item.is_folded) {
        co_await out(item.value);
        co_return;
    }
    auto text = out.string();
    for (const std::string_view piece : text_pieces(item.value))
        co_await text(piece);
}

task<> write_size(slot out, const field& item) {
    if (const auto number = parse_size(item.value))
        co_await out(*number);
    else
        co_await write_text(std::move(out), item); // nothing of the record is lost
}

task<> write_value(slot out, const field& item) {
    switch (item.kind) {
    case field_kind::maintainer:
        return write_person(std::move(out), item);
    case field_kind::dependencies:
        return write_dependencies(std::move(out), item);
    case field_kind::tags:
        return write_tags(std::move(out), item);
    case field_kind::size:
        return write_size(std::move(out), item);
    case field_kind::text:
        break;
    }
    return write_text(std::move(out), item);
}

struct endpoint {
    const char* path;
    const char* what;
};

constexpr endpoint endpoints[] = {
    {"/", "this list"},
    {"/packages", "all records, in the order of the file, as they are read"},
    {"/packages?section={section}", "the records of a section, as games"},
    {"/packages?q={text}", "the records that have the text in their name or description"},
    {"/packages?after={name}&limit={number}", "so many records that follow the one of that name"},
    {"/packages?buffered=1", "the same, rendered whole before any of it is sent, for comparison"},
    {"/packages/{name}", "one record"},
};

} // namespace

task<> write_endpoints(slot out) {
    auto json = out.object();
    co_await json("service", "Debian's package catalogue");
    auto list = json["endpoints"].array();
    for (const endpoint& one : endpoints) {
        auto entry = list.next().object();
        co_await entry("path", one.path);
        co_await entry("description", one.what);
    }
}

task<> write_record(slot out, const record& item) {
    std::string name; // of a field that is not known
    auto json = out.object();
    for (const field& each : item.fields()) {
        const std::string_view key = json_key(each, name);
        if (each.kind == field_kind::text && !each.is_folded) // most are, and take no coroutine
            co_await json(key, each.value);
        else
            co_await write_value(json[key], each);
    }
}

task<> write_packages(slot out, const catalogue& packages, control_reader from, const list_request& request) {
    auto json = out.object();
    {
        auto meta = json["meta"].object();
        co_await meta("source", packages.file().name());
        co_await meta("records", packages.size());
        auto filters = meta["filters"].object();
        // What is conditional and short is put: plain code, and one await for all of it.
        co_await filters.put([&](auto& member) {
            if (!request.section.empty())
                member("section", request.section);
            if (!request.q.empty())
                member("q", request.q);
            if (!request.after.empty())
                member("after", request.after);
            if (request.limit)
                member("limit", *request.limit);
        });
    }
    auto data = json["data"].array();
    record current;
    for (std::uint64_t written = 0; !request.limit || written < *request.limit;) {
        if (!from.read(current))
            break;
        if (!matches(current, request))
            continue;
        co_await write_record(data.next(), current);
        ++written;
    }
}

task<> write_problem(slot out, const problem& wrong) {
    auto json = out.object();
    co_await json("title", wrong.title);
    co_await json("status", wrong.status);
    co_await json("detail", wrong.detail);
}

} // namespace package_catalog
