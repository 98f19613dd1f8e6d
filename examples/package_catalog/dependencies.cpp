#include "dependencies.hpp"

#include "values.hpp"

#include <algorithm>

namespace package_catalog {

namespace {

bool is_alphanumeric(char byte) noexcept {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
}

bool is_name_byte(char byte) noexcept {
    return is_alphanumeric(byte) || byte == '-' || byte == '+' || byte == '.' || byte == '_';
}

bool is_version_byte(char byte) noexcept {
    return !is_blank(byte) && byte != '(' && byte != '<' && byte != '=' && byte != '>';
}

// A cursor over one alternative. Each take_ function consumes what it finds and says whether it did.
class scanner {
public:
    explicit scanner(std::string_view text) noexcept : rest_(text) {}

    bool at_end() const noexcept { return rest_.empty(); }
    bool at(char byte) const noexcept { return rest_.starts_with(byte); }

    void skip_blanks() noexcept { rest_.remove_prefix(package_catalog::skip_blanks(rest_)); }

    std::string_view take_name() noexcept {
        if (rest_.empty() || !is_alphanumeric(rest_.front()))
            return {};
        std::size_t size = 1;
        while (size < rest_.size() && is_name_byte(rest_[size]))
            ++size;
        return take(size);
    }

    std::string_view take_relation() noexcept {
        std::size_t size = 0;
        while (size < rest_.size() && (rest_[size] == '<' || rest_[size] == '=' || rest_[size] == '>'))
            ++size;
        return take(size);
    }

    // What stands before `close`, which is consumed too, when the text begins with `open`.
    bool take_enclosed(char open, char close, std::string_view& inside) noexcept {
        if (!at(open))
            return false;
        const std::size_t end = rest_.find(close);
        if (end == std::string_view::npos)
            return false;
        inside = trimmed(rest_.substr(1, end - 1));
        rest_.remove_prefix(end + 1);
        return true;
    }

    std::string_view take(std::size_t size) noexcept {
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }

    const char* position() const noexcept { return rest_.data(); }

private:
    std::string_view rest_;
};

bool is_relation(std::string_view text) noexcept {
    return text == ">=" || text == "=" || text == "<<" || text == "<=" || text == ">>" || text == "<" || text == ">";
}

bool read(std::string_view text, dependency& result) noexcept {
    scanner scan(text);
    result.name = scan.take_name();
    if (result.name.empty())
        return false;
    if (scan.at(':')) {
        scan.take(1);
        result.architecture = scan.take_name();
        if (result.architecture.empty())
            return false;
    }
    scan.skip_blanks();

    std::string_view inside;
    if (scan.take_enclosed('(', ')', inside)) {
        scanner constraint(inside);
        result.relation = constraint.take_relation();
        constraint.skip_blanks();
        result.version = inside.substr(static_cast<std::size_t>(constraint.position() - inside.data()));
        if (!is_relation(result.relation) || result.version.empty() ||
            !std::all_of(result.version.begin(), result.version.end(), is_version_byte))
            return false;
        scan.skip_blanks();
    }
    if (scan.take_enclosed('[', ']', inside)) {
        if (inside.empty())
            return false;
        result.architectures = word_list(inside);
        scan.skip_blanks();
    }
    const char* const formula = scan.position();
    const char* formula_end = formula;
    while (scan.take_enclosed('<', '>', inside)) {
        if (inside.empty() || inside.find('<') != std::string_view::npos)
            return false;
        formula_end = scan.position();
        scan.skip_blanks();
    }
    result.profiles = profile_formula({formula, static_cast<std::size_t>(formula_end - formula)});
    return scan.at_end();
}

} // namespace

bool word_parser::operator()(std::string_view& rest, std::string_view& word) noexcept {
    const std::size_t first = skip_blanks(rest);
    if (first == rest.size())
        return false;
    const std::size_t end = skip_word(rest, first);
    word = rest.substr(first, end - first);
    rest.remove_prefix(end);
    return true;
}

bool profile_parser::operator()(std::string_view& rest, word_list& profiles) noexcept {
    const std::size_t open = rest.find('<');
    const std::size_t close = rest.find('>');
    if (open == std::string_view::npos || close == std::string_view::npos)
        return false;
    profiles = word_list(rest.substr(open + 1, close - open - 1));
    rest.remove_prefix(close + 1);
    return true;
}

dependency parse_dependency(std::string_view text) noexcept {
    dependency result;
    text = trimmed(text);
    result.is_valid = read(text, result);
    if (!result.is_valid)
        result = dependency{};
    result.text = text;
    return result;
}

bool alternative_parser::operator()(std::string_view& rest, dependency& item) noexcept {
    if (is_last_)
        return false;
    const std::size_t bar = rest.find('|');
    is_last_ = bar == std::string_view::npos;
    item = parse_dependency(rest.substr(0, bar));
    rest.remove_prefix(is_last_ ? rest.size() : bar + 1);
    return true;
}

bool group_parser::operator()(std::string_view& rest, dependency_group& group) noexcept {
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const std::string_view text = trimmed(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (text.empty())
            continue;
        group = dependency_group(text);
        return true;
    }
    return false;
}

} // namespace package_catalog
