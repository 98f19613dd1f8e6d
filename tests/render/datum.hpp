// What a document is to say: typed values, with the keys as they are to be spelt. Compared with what was read, and
// written down for readers in other languages, by code that shares nothing with the library.
#pragma once

#include "json_tree.hpp"

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace sluice::test {

struct datum {
    struct sequence {}; // an array or an object: its parts are below
    struct members {};
    using scalar =
        std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, float, double, std::string, sequence, members>;

    scalar value = nullptr;
    std::vector<std::string> keys; // of an object
    std::vector<datum> parts;      // of an array or an object

    datum() = default;
    explicit datum(scalar what) : value(std::move(what)) {}
    static datum array() { return datum(sequence()); }
    static datum object() { return datum(members()); }
    void add(std::string key, datum part) {
        keys.push_back(std::move(key));
        parts.push_back(std::move(part));
    }
    void add(datum part) { parts.push_back(std::move(part)); }
};

// Whether a token is this number, to the last bit.
template <class Number>
bool reads_as(std::string_view token, Number expected) {
    Number read{};
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), read);
    if (error != std::errc() || end != token.data() + token.size())
        return false;
    if constexpr (std::is_same_v<Number, float>)
        return std::bit_cast<std::uint32_t>(read) == std::bit_cast<std::uint32_t>(expected);
    else if constexpr (std::is_same_v<Number, double>)
        return std::bit_cast<std::uint64_t>(read) == std::bit_cast<std::uint64_t>(expected);
    else
        return read == expected;
}

// Where what was read is not what is expected, and how; empty where it is the same.
inline std::string difference(const json_tree& read, const datum& expected, const std::string& path = "$") {
    const auto is = [&](json_tree::kind what) { return read.what == what; };
    const bool same = std::visit(
        [&](const auto& value) {
            using T = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::nullptr_t>)
                return is(json_tree::kind::null);
            else if constexpr (std::is_same_v<T, bool>)
                return is(json_tree::kind::boolean) && read.text == (value ? "true" : "false");
            else if constexpr (std::is_same_v<T, std::string>)
                return is(json_tree::kind::text) && read.text == value;
            else if constexpr (std::is_same_v<T, datum::sequence>)
                return is(json_tree::kind::array) && read.children.size() == expected.parts.size();
            else if constexpr (std::is_same_v<T, datum::members>)
                return is(json_tree::kind::object) && read.keys == expected.keys;
            else
                return is(json_tree::kind::number) && reads_as(read.text, value);
        },
        expected.value);
    if (!same) {
        std::string what = path + ": read \"" + read.text + '"';
        for (const std::string& key : read.keys)
            what += " [" + key + ']';
        what += ", expected alternative " + std::to_string(expected.value.index());
        for (const std::string& key : expected.keys)
            what += " [" + key + ']';
        return what + ", " + std::to_string(expected.parts.size()) + " parts";
    }
    for (std::size_t i = 0; i < expected.parts.size(); ++i) {
        const std::string part = read.keys.empty() ? '[' + std::to_string(i) + ']' : '.' + read.keys[i];
        if (std::string text = difference(read.children[i], expected.parts[i], path + part); !text.empty())
            return text;
    }
    return {};
}

// A line for each value and each key, in their order, for check_documents.py: text in hexadecimal, fractions exactly.
inline void append_lines(std::string& to, const datum& what) {
    const auto hexadecimal = [&](const char* word, std::string_view text) {
        to += word;
        for (const char c : text) {
            char pair[3];
            std::snprintf(pair, sizeof pair, "%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
            to += pair;
        }
        to += '\n';
    };
    const auto fraction = [&](const char* type, double value) {
        char text[64];
        std::snprintf(text, sizeof text, "%s %a\n", type, value);
        to += text;
    };
    std::visit(
        [&](const auto& value) {
            using T = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::nullptr_t>)
                to += "null\n";
            else if constexpr (std::is_same_v<T, bool>)
                to += value ? "true\n" : "false\n";
            else if constexpr (std::is_same_v<T, std::string>)
                hexadecimal("text ", value);
            else if constexpr (std::is_same_v<T, float>)
                fraction("float", static_cast<double>(value));
            else if constexpr (std::is_same_v<T, double>)
                fraction("double", value);
            else if constexpr (std::is_same_v<T, datum::sequence>)
                to += "array " + std::to_string(what.parts.size()) + '\n';
            else if constexpr (std::is_same_v<T, datum::members>)
                to += "object " + std::to_string(what.parts.size()) + '\n';
            else
                to += "integer " + std::to_string(value) + '\n';
        },
        what.value);
    for (std::size_t i = 0; i < what.parts.size(); ++i) {
        if (!what.keys.empty())
            hexadecimal("key ", what.keys[i]);
        append_lines(to, what.parts[i]);
    }
}

// As JSON, to be spliced: with no escapes but those that have to be, and some that need not.
inline void append_json_text(std::string& to, std::string_view text) {
    to += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || c == '"' || c == '\\' || c == 'u') {
            char escape[7];
            std::snprintf(escape, sizeof escape, "\\u%04X", static_cast<unsigned>(byte));
            to += escape;
        } else if (c == '/') {
            to += "\\/";
        } else {
            to += c;
        }
    }
    to += '"';
}

inline void append_json(std::string& to, const datum& what) {
    std::visit(
        [&](const auto& value) {
            using T = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::nullptr_t>) {
                to += "null";
            } else if constexpr (std::is_same_v<T, bool>) {
                to += value ? "true" : "false";
            } else if constexpr (std::is_same_v<T, std::string>) {
                append_json_text(to, value);
            } else if constexpr (std::is_same_v<T, datum::sequence> || std::is_same_v<T, datum::members>) {
                constexpr bool has_keys = std::is_same_v<T, datum::members>;
                to += has_keys ? '{' : '[';
                for (std::size_t i = 0; i < what.parts.size(); ++i) {
                    if (i != 0)
                        to += ',';
                    if (has_keys) {
                        append_json_text(to, what.keys[i]);
                        to += ':';
                    }
                    append_json(to, what.parts[i]);
                }
                to += has_keys ? '}' : ']';
            } else {
                char text[64];
                to.append(text, std::to_chars(text, text + sizeof text, value).ptr);
            }
        },
        what.value);
}

} // namespace sluice::test
