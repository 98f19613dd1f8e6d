#include <sluice/render/view.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace sluice {

view_options& view_options::set(std::string_view name, std::string value) {
    if (name == "locale")
        return locale(std::move(value));
    if (name == "format")
        return format(std::move(value));
    if (name == "variant")
        return variant(std::move(value));
    detail::unknown_name("view option", name, {"locale", "format", "variant"});
}

namespace detail {

namespace {

// How many edits (an insertion, a deletion, a replacement) lead from one to the other (Levenshtein 1965).
std::size_t distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

// 0 where it is asked for, more where it is what that falls back to, negative where it is something else.
int locale_rank(const std::string& has, std::string_view wanted) {
    for (int rank = 0;; ++rank) {
        if (has == wanted)
            return rank;
        if (wanted.empty())
            return -1;
        const std::size_t end = wanted.find_last_of("-_");
        wanted = wanted.substr(0, end == std::string_view::npos ? 0 : end);
    }
}

std::string describe(const view_options& options) {
    std::string text;
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty())
            text += (text.empty() ? "" : ", ") + std::string(name) + " \"" + value + '"';
    };
    add("locale", options.locale());
    add("format", options.format());
    for (const std::string& variant : options.variants())
        add("variant", variant);
    return text.empty() ? "no options" : text;
}

} // namespace

int view_rank(const view_options& variant, const view_options& wanted) {
    const int locale = locale_rank(variant.locale(), wanted.locale());
    if (locale < 0)
        return -1;
    if (!variant.format().empty() && variant.format() != wanted.format())
        return -1;
    const int format = variant.format() == wanted.format() ? 0 : 1;
    const std::vector<std::string>& all = wanted.variants();
    auto found = all.end();
    if (!variant.variants().empty()) {
        found = std::find(all.begin(), all.end(), variant.variants().front());
        if (found == all.end())
            return -1;
    }
    const int order = static_cast<int>(found - all.begin());
    const int orders = static_cast<int>(all.size()) + 1;
    return (locale * 2 + format) * orders + order;
}

void check_variant(std::string_view view, const view_options& added, const std::vector<const view_options*>& others) {
    if (added.variants().size() > 1)
        throw std::invalid_argument("sluice: a template of the view \"" + std::string(view) +
                                    "\" is for one variant, not several");
    for (const view_options* other : others)
        if (*other == added)
            throw std::invalid_argument("sluice: the view \"" + std::string(view) + "\" has two templates for " +
                                        describe(added));
}

void no_variant(std::string_view view, const view_options& wanted) {
    throw no_view_error("the view \"" + std::string(view) + "\" has no template for " + describe(wanted) +
                        " and no default");
}

void unknown_name(std::string_view what, std::string_view name, const std::vector<std::string_view>& known) {
    constexpr std::size_t shown = 3;
    std::vector<std::pair<std::size_t, std::size_t>> nearest; // how far, and which
    nearest.reserve(known.size());
    for (std::size_t i = 0; i < known.size(); ++i)
        nearest.emplace_back(distance(known[i], name), i);
    std::sort(nearest.begin(), nearest.end());
    std::string text = "there is no " + std::string(what) + " \"" + std::string(name) + '"';
    for (std::size_t i = 0; i < std::min(shown, nearest.size()); ++i)
        text += (i == 0 ? "; the nearest: \"" : ", \"") + std::string(known[nearest[i].second]) + '"';
    throw no_view_error(text);
}

} // namespace detail

} // namespace sluice
