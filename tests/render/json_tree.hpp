// A JSON document as a tree, read strictly (RFC 8259) by the tests' own reader: order, repeated keys and the bytes of
// numbers are kept.
#pragma once

#include "json_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::test {

struct json_tree {
    enum class kind { null, boolean, number, text, array, object };
    kind what = kind::null;
    std::string text;                // of a string: its characters; of another scalar: its bytes
    std::vector<std::string> keys;   // of an object
    std::vector<json_tree> children; // of an array or an object
};

class json_tree_reader {
public:
    // `compact`: white space between tokens is an error.
    json_tree_reader(std::string_view text, bool compact) : text_(text), compact_(compact) {}

    // Nothing where the text is not exactly one value.
    std::optional<json_tree> read() {
        json_tree tree;
        if (!value(tree) || !space() || at_ != text_.size())
            return std::nullopt;
        return tree;
    }

private:
    bool next_is(char c) const noexcept { return at_ < text_.size() && text_[at_] == c; }
    bool take(char c) {
        if (!space() || !next_is(c))
            return false;
        ++at_;
        return true;
    }
    bool space() {
        const std::size_t start = at_;
        while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos)
            ++at_;
        return !compact_ || at_ == start;
    }

    bool value(json_tree& tree) {
        if (!space() || at_ == text_.size())
            return false;
        switch (text_[at_]) {
        case '{':
            return container(tree, json_tree::kind::object, '}');
        case '[':
            return container(tree, json_tree::kind::array, ']');
        case '"':
            tree.what = json_tree::kind::text;
            return string(tree.text);
        default:
            return scalar(tree);
        }
    }

    bool container(json_tree& tree, json_tree::kind what, char end) {
        tree.what = what;
        ++at_;
        if (take(end))
            return true;
        do {
            if (what == json_tree::kind::object && (!space() || !string(tree.keys.emplace_back()) || !take(':')))
                return false;
            if (!value(tree.children.emplace_back()))
                return false;
        } while (take(','));
        return take(end);
    }

    bool string(std::string& text) {
        std::size_t end = at_ + 1;
        while (end < text_.size() && text_[end] != '"')
            end += text_[end] == '\\' ? 2U : 1U;
        if (!next_is('"') || end >= text_.size())
            return false;
        std::optional<std::string> characters = json_reader::string_value(text_.substr(at_, end + 1 - at_));
        if (!characters)
            return false;
        text = *std::move(characters);
        at_ = end + 1;
        return true;
    }

    bool scalar(json_tree& tree) {
        const std::size_t end = std::min(text_.find_first_of(",:]}[{\" \t\n\r", at_), text_.size());
        const std::string_view token = text_.substr(at_, end - at_);
        if (!is_json(token))
            return false;
        at_ = end;
        tree.text = token;
        if (token == "null")
            tree.what = json_tree::kind::null;
        else
            tree.what = token == "true" || token == "false" ? json_tree::kind::boolean : json_tree::kind::number;
        return true;
    }

    std::string_view text_;
    bool compact_;
    std::size_t at_ = 0;
};

inline std::optional<json_tree> read_json(std::string_view text, bool compact = true) {
    return json_tree_reader(text, compact).read();
}

} // namespace sluice::test
