// Prints a control file as the document of GET /packages, with nothing of Sluice: a second rendering of the same
// records, by which check_catalog.py and the readers of values are tried on whole catalogues.
//     plain_dump FILE
#include "catalogue.hpp"

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

namespace {

using namespace package_catalog;

void put_string(std::string& out, std::string_view text) {
    constexpr char digits[] = "0123456789abcdef";
    out += '"';
    for (const char byte : text) {
        if (byte == '"' || byte == '\\') {
            out += '\\';
            out += byte;
        } else if (static_cast<unsigned char>(byte) < 0x20) {
            out += "\\u00";
            out += digits[static_cast<unsigned char>(byte) / 16];
            out += digits[static_cast<unsigned char>(byte) % 16];
        } else {
            out += byte;
        }
    }
    out += '"';
}

void put_key(std::string& out, std::string_view key) {
    if (!out.ends_with('{'))
        out += ',';
    put_string(out, key);
    out += ':';
}

void put_comma(std::string& out) {
    if (!out.ends_with('['))
        out += ',';
}

void put_words(std::string& out, const word_list& words) {
    out += '[';
    for (const std::string_view word : words) {
        put_comma(out);
        put_string(out, word);
    }
    out += ']';
}

void put_dependency(std::string& out, const dependency& item) {
    out += '{';
    const auto member = [&](std::string_view key, std::string_view value) {
        put_key(out, key);
        put_string(out, value);
    };
    if (!item.is_valid) {
        member("unparsed", item.text);
    } else {
        member("name", item.name);
        if (!item.architecture.empty())
            member("architecture", item.architecture);
        if (!item.relation.empty()) {
            member("relation", item.relation);
            member("version", item.version);
        }
        if (!item.architectures.text().empty()) {
            put_key(out, "architectures");
            put_words(out, item.architectures);
        }
        if (!item.profiles.text().empty()) {
            put_key(out, "profiles");
            out += '[';
            for (const word_list& profiles : item.profiles) {
                put_comma(out);
                put_words(out, profiles);
            }
            out += ']';
        }
    }
    out += '}';
}

void put_value(std::string& out, const field& item, std::string& buffer) {
    switch (item.kind) {
    case field_kind::maintainer: {
        const person someone = parse_person(list_of(item, buffer));
        std::string name;
        out += '{';
        put_key(out, "name");
        put_string(out, name_of(someone, name));
        if (someone.email) {
            put_key(out, "email");
            put_string(out, *someone.email);
        }
        if (!someone.rest.empty()) {
            put_key(out, "rest");
            put_string(out, someone.rest);
        }
        out += '}';
        return;
    }
    case field_kind::dependencies:
        out += '[';
        for (const dependency_group& group : dependency_groups(list_of(item, buffer))) {
            put_comma(out);
            out += '[';
            for (const dependency& alternative : group) {
                put_comma(out);
                put_dependency(out, alternative);
            }
            out += ']';
        }
        out += ']';
        return;
    case field_kind::tags: {
        std::string whole;
        out += '[';
        for (const tag& one : tag_list(list_of(item, buffer))) {
            put_comma(out);
            put_string(out, tag_of(one, whole));
        }
        out += ']';
        return;
    }
    case field_kind::size:
        if (const auto number = parse_size(item.value)) {
            out += std::to_string(*number);
            return;
        }
        break;
    case field_kind::text:
        break;
    }
    put_string(out, text_of(item, buffer));
}

void print(const catalogue& packages) {
    std::string out;
    std::string buffer;
    std::string key;
    record current;
    std::fputs("{\"data\":[", stdout);
    bool is_first = true;
    for (control_reader reader = packages.all(); reader.read(current); is_first = false) {
        out = is_first ? "{" : "\n,{";
        for (const field& item : current.fields()) {
            put_key(out, json_key(item, key));
            put_value(out, item, buffer);
        }
        out += '}';
        std::fwrite(out.data(), 1, out.size(), stdout);
    }
    std::fputs("]}", stdout);
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: plain_dump FILE\n";
        return 2;
    }
    try {
        print(catalogue(mapped_file(arguments[1])));
    } catch (const std::exception& error) {
        std::cerr << "plain_dump: " << error.what() << '\n';
        return 1;
    }
    return std::fflush(stdout) == 0 ? 0 : 1;
}
