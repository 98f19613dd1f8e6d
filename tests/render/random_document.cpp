#include "random_document.hpp"

#include <bit>
#include <cmath>
#include <ctime>
#include <limits>
#include <type_traits>

namespace sluice::test {

// ---- keys ------------------------------------------------------------------------------------------------------

namespace {

// Names are words of lower-case letters, and of what no format touches, with one underscore between two.
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words(1);
    for (const char c : name) {
        if (c == '_')
            words.emplace_back();
        else
            words.back() += c;
    }
    return words;
}

char raised(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::string joined(std::string_view name, const char* between, bool raise_first, bool raise_others) {
    std::string key;
    bool first = true;
    for (std::string& word : words_of(name)) {
        if (!word.empty() && (first ? raise_first : raise_others))
            word.front() = raised(word.front());
        key += (first ? "" : between) + word;
        first = false;
    }
    return key;
}

std::string in_capitals(std::string_view name) {
    std::string key(name);
    for (char& c : key)
        c = raised(c);
    return key;
}

const key_format bang("bang", [](std::string_view key) { return std::string(key) + "!"; });
const key_format kebab_bang(keys::kebab(), bang);

} // namespace

const std::vector<spelling>& spellings() {
    static const std::vector<spelling> all = {
        {&keys::as_written(), [](std::string_view name) { return std::string(name); }},
        {&keys::camel(), [](std::string_view name) { return joined(name, "", false, true); }},
        {&keys::camel_rails(), [](std::string_view name) { return joined(name, "", false, true); }},
        {&keys::upper_camel(), [](std::string_view name) { return joined(name, "", true, true); }},
        {&keys::snake(), [](std::string_view name) { return std::string(name); }},
        {&keys::kebab(), [](std::string_view name) { return joined(name, "-", false, false); }},
        {&keys::upper(), in_capitals},
        {&keys::lower(), [](std::string_view name) { return std::string(name); }},
        {&bang, [](std::string_view name) { return std::string(name) + "!"; }},
        {&kebab_bang, [](std::string_view name) { return joined(name, "-", false, false) + "!"; }},
    };
    return all;
}

const std::vector<std::string> literal_names = {"id",
                                                "first_name",
                                                "created_at",
                                                "a_b_c",
                                                "a_literal_that_is_longer_than_what_is_kept_ready",
                                                "with\"quote_inside",
                                                "tag<b>_in_it",
                                                "gr\xc3\xb6\xc3\x9f"
                                                "e_m",
                                                ""};

const std::string& name_of(const part& one) {
    return one.literal < 0 ? one.name : literal_names[static_cast<std::size_t>(one.literal)];
}

// ---- data ------------------------------------------------------------------------------------------------------

template <class T>
T document_maker::any() {
    T value{};
    fill(value);
    return value;
}

std::string document_maker::any_text() {
    static const std::vector<std::string> bits = {"a",
                                                  "word ",
                                                  "\"",
                                                  "\\",
                                                  "/",
                                                  "\n",
                                                  "\t",
                                                  "\b\f\r",
                                                  "\x1f",
                                                  std::string(1, '\0'),
                                                  "\x7f",
                                                  "<&>",
                                                  "\xc3\xa9",
                                                  "\xe2\x80\xa8",
                                                  "\xef\xbf\xbf",
                                                  "\xf0\x9f\x98\x80",
                                                  "\xf4\x8f\xbf\xbf",
                                                  "\\u0041",
                                                  "]}",
                                                  ",:",
                                                  "null",
                                                  "plain text of some length that holds nothing to escape"};
    std::string text;
    const std::size_t size = chance(4) ? below(200) : below(8);
    while (text.size() < size)
        text += bits[below(bits.size())];
    if (long_texts_ > 0 && chance(4)) { // longer than a chunk
        --long_texts_;
        const std::string& filler = bits[below(bits.size())];
        while (text.size() < 17'000)
            text += filler + "x";
    }
    return text;
}

std::string document_maker::any_name() {
    static const std::vector<std::string> bits = {
        "a", "bc", "def", "x9", "0", "\"", "\\", "\n", "\x01", "\xc3\xbc", "q", "\xf0\x9f\x98\x80", "<", "."};
    std::string name;
    const std::size_t words = chance(20) ? 40 : 1 + below(3);
    for (std::size_t i = 0; i < words; ++i) {
        name += i == 0 ? "" : "_";
        for (std::size_t n = 1 + below(4); n != 0; --n)
            name += bits[below(bits.size())];
    }
    return name;
}

template <std::integral T>
void document_maker::fill(T& value) {
    using limits = std::numeric_limits<T>;
    switch (below(6)) {
    case 0:
        value = limits::max();
        break;
    case 1:
        value = limits::min();
        break;
    case 2:
        value = static_cast<T>(below(3) - 1); // -1 is the largest, where there is no sign
        break;
    default:
        value = static_cast<T>(static_cast<T>(random_()) >> below(8 * sizeof(T)));
        break;
    }
}

void document_maker::fill(double& value) {
    using limits = std::numeric_limits<double>;
    constexpr double special[] = {0.0,
                                  -0.0,
                                  limits::denorm_min(),
                                  -limits::denorm_min(),
                                  limits::min(),
                                  limits::max(),
                                  limits::lowest(),
                                  0.1,
                                  1.0 / 3,
                                  1e15,
                                  1e16,
                                  1e21,
                                  1e22,
                                  1e23,
                                  9007199254740993.0,
                                  1e-4,
                                  1e-5,
                                  1e-7,
                                  -123456.789};
    switch (below(4)) {
    case 0:
        value = special[below(std::size(special))];
        break;
    case 1:
        value = static_cast<double>(random_() % 2'000'001) / 1000 - 1000;
        break;
    case 2: // subnormal
        value = std::bit_cast<double>(random_() & 0x800f'ffff'ffff'ffff);
        break;
    default:
        do
            value = std::bit_cast<double>(std::uint64_t{random_()});
        while (!std::isfinite(value));
        break;
    }
}

void document_maker::fill(float& value) {
    using limits = std::numeric_limits<float>;
    constexpr float special[] = {0.0F, -0.0F,  limits::denorm_min(), limits::min(), limits::max(), limits::lowest(),
                                 0.1F, 1e-20F, 16777217.0F,          1e10F};
    if (chance(3)) {
        value = special[below(std::size(special))];
        return;
    }
    do
        value = std::bit_cast<float>(static_cast<std::uint32_t>(random_()));
    while (!std::isfinite(value));
}

void document_maker::fill(std::string_view& value) {
    static const std::string_view all[] = {"", "a view", std::string_view("nul\0in it", 9), "\xe2\x82\xac \"quoted\"",
                                           "a view of a text that is longer than a small string"};
    value = all[below(std::size(all))];
}

void document_maker::fill(const char*& value) {
    static const char* const all[] = {nullptr, "", "a pointer", "tab\tand \xe2\x82\xac"};
    value = all[below(std::size(all))];
}

void document_maker::fill(record& value) {
    fill(value.id);
    fill(value.full_name);
    fill(value.last_score);
    fill(value.tag_list);
    fill(value.counts_by_name);
}

void document_maker::fill(moment& value) {
    // Of the years 1 to 9998.
    value = moment(
        std::chrono::milliseconds(static_cast<std::int64_t>(random_() % 315'500'000'000'000) - 62'100'000'000'000));
}

template <class T>
void document_maker::fill(std::optional<T>& value) {
    if (chance(2))
        value = any<T>();
}

template <class T>
void document_maker::fill(std::vector<T>& value) {
    for (std::size_t n = below(4); n != 0; --n)
        value.push_back(any<T>());
}

template <class T>
void document_maker::fill(std::map<std::string, T>& value) {
    for (std::size_t n = below(4); n != 0; --n) {
        std::string name = any_name();
        value.insert_or_assign(std::move(name), any<T>());
    }
}

template <class A, class B>
void document_maker::fill(std::pair<A, B>& value) {
    fill(value.first);
    fill(value.second);
}

template <class... T>
void document_maker::fill(std::tuple<T...>& value) {
    std::apply([this](auto&... element) { (this->fill(element), ...); }, value);
}

template <class... T>
void document_maker::fill(std::variant<T...>& value) {
    std::size_t chosen = below(sizeof...(T));
    static_cast<void>(((chosen-- == 0 ? (value.template emplace<T>(any<T>()), true) : false) || ...));
}

// ---- trees -----------------------------------------------------------------------------------------------------

node document_maker::any_node(int depth) {
    node made;
    --left_;
    const bool scalar = depth >= max_depth || left_ <= 0 || (depth > 0 && chance(3)) || (depth == 0 && chance(20));
    if (scalar) {
        fill(made.value);
        return made;
    }
    made.what = static_cast<node::kind>(1 + below(chance(4) ? 3 : 2));
    made.way = static_cast<unsigned>(below(4));
    if (chance(3))
        made.spelling = static_cast<int>(below(spellings().size()));
    if (made.what == node::kind::laid_out) {
        made.parts.push_back(any_part(true, depth + 1));
        return made;
    }
    const std::size_t most = chance(6) ? 0 : 1 + below(9);
    while (made.parts.size() < most && left_ > 0)
        made.parts.push_back(any_part(made.what == node::kind::object, depth + 1));
    return made;
}

part document_maker::any_part(bool member, int depth) {
    part made;
    if (member && chance(2))
        made.literal = static_cast<int>(below(literal_names.size()));
    else if (member)
        made.name = any_name();
    made.what = any_node(depth);
    made.how = static_cast<manner>(below(manners));
    made.run = static_cast<unsigned>(below(3));
    made.pause = static_cast<unsigned>(below(12));
    return made;
}

// ---- what is to come of it -------------------------------------------------------------------------------------

namespace {

struct expected_value {
    int spelling;
    bool picked = false; // a map's keys are spelt by the format too

    std::string spelt(std::string_view name) const {
        return spellings()[static_cast<std::size_t>(spelling)].spell(name);
    }

    datum operator()(std::nullptr_t) const { return {}; }
    datum operator()(std::monostate) const { return {}; }
    datum operator()(bool value) const { return datum(value); }
    datum operator()(char value) const { return datum(std::string(1, value)); }
    datum operator()(float value) const { return datum(value); }
    datum operator()(double value) const { return datum(value); }
    datum operator()(const std::string& value) const { return datum(value); }
    datum operator()(std::string_view value) const { return datum(std::string(value)); }
    datum operator()(const char* value) const { return value == nullptr ? datum() : datum(std::string(value)); }
    template <std::signed_integral T>
    datum operator()(T value) const {
        return datum(std::int64_t{value});
    }
    template <std::unsigned_integral T>
    datum operator()(T value) const {
        return datum(std::uint64_t{value});
    }
    template <class T>
    datum operator()(const std::optional<T>& value) const {
        return value ? (*this)(*value) : datum();
    }
    template <class T>
    datum operator()(const std::vector<T>& value) const {
        datum list = datum::array();
        for (const T& element : value)
            list.add((*this)(element));
        return list;
    }
    template <class T>
    datum operator()(const std::map<std::string, T>& value) const {
        datum json = datum::object();
        for (const auto& [name, held] : value)
            json.add(picked ? spelt(name) : name, (*this)(held));
        return json;
    }
    datum operator()(const record& value) const {
        const expected_value plain{spelling}; // only the struct's own members are picked
        datum json = datum::object();
        json.add(spelt("id"), plain(value.id));
        json.add(spelt("full_name"), plain(value.full_name));
        json.add(spelt("last_score"), plain(value.last_score));
        json.add(spelt("tag_list"), plain(value.tag_list));
        json.add(spelt("counts_by_name"), plain(value.counts_by_name));
        return json;
    }
    template <class A, class B>
    datum operator()(const std::pair<A, B>& value) const {
        datum list = datum::array();
        list.add((*this)(value.first));
        list.add((*this)(value.second));
        return list;
    }
    template <class... T>
    datum operator()(const std::tuple<T...>& value) const {
        datum list = datum::array();
        std::apply([&](const auto&... element) { (list.add((*this)(element)), ...); }, value);
        return list;
    }
    template <class... T>
    datum operator()(const std::variant<T...>& value) const {
        return std::visit([this](const auto& held) { return (*this)(held); }, value);
    }
    datum operator()(moment value) const {
        const auto all = static_cast<std::int64_t>(value.time_since_epoch().count());
        const std::int64_t below_second = ((all % 1000) + 1000) % 1000;
        const std::time_t seconds = (all - below_second) / 1000;
        std::tm parts{};
        gmtime_r(&seconds, &parts);
        char text[64];
        std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900, parts.tm_mon + 1,
                      parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, static_cast<int>(below_second));
        return datum(std::string(text));
    }
    datum operator()(season value) const {
        constexpr const char* names[] = {"spring", "summer", "autumn", "winter"};
        return datum(std::string(names[static_cast<std::size_t>(value)]));
    }
};

datum expect_container(const node& what, int spelling) {
    datum made = what.what == node::kind::object ? datum::object() : datum::array();
    for (const part& one : what.parts)
        expect_part(made, one, spelling);
    return made;
}

} // namespace

datum expect(const node& what, int spelling) {
    if (what.what == node::kind::value)
        return expected_value{spelling}(what.value);
    if (what.spelling >= 0)
        spelling = what.spelling;
    if (what.what != node::kind::laid_out)
        return expect_container(what, spelling);
    // The layout writes its content once or twice.
    const expected_value outer{spelling};
    datum made = datum::object();
    made.add(outer.spelt("layout_version"), datum(std::int64_t{3}));
    for (unsigned i = 0; i <= what.way % 2; ++i)
        made.add(outer.spelt(i == 0 ? "wrapped_data" : "again_data"), expect(what.parts[0].what, spelling));
    return made;
}

void expect_part(datum& in, const part& one, int spelling) {
    const bool member = std::holds_alternative<datum::members>(in.value);
    const expected_value here{spelling};
    std::string key = here.spelt(name_of(one));
    datum value = expect(one.what, spelling);
    switch (one.how) {
    case manner::spliced: // no format holds for ready bytes
        value = expect(one.what, as_written);
        key = name_of(one);
        break;
    case manner::merged:
        if (const auto* map = std::get_if<std::map<std::string, double>>(&one.what.value); map != nullptr && member) {
            for (const auto& [name, held] : *map)
                in.add(here.spelt(name), datum(held));
            return;
        }
        if (std::holds_alternative<record>(one.what.value) && member) {
            for (std::size_t i = 0; i < value.parts.size(); ++i)
                in.add(value.keys[i], value.parts[i]);
            return;
        }
        if (!member && (std::holds_alternative<std::vector<std::string>>(one.what.value) ||
                        std::holds_alternative<std::vector<record>>(one.what.value))) {
            for (datum& element : value.parts)
                in.add(std::move(element));
            return;
        }
        break;
    case manner::picked:
        if (std::holds_alternative<std::map<std::string, double>>(one.what.value)) {
            value = expected_value{spelling, true}(one.what.value);
        } else if (std::holds_alternative<record>(one.what.value)) {
            datum chosen = datum::object();
            chosen.add(value.keys[3], value.parts[3]);
            chosen.add(value.keys[0], value.parts[0]);
            value = std::move(chosen);
        }
        break;
    case manner::omitted: {
        const auto* number = std::get_if<std::optional<int>>(&one.what.value);
        const auto* text = std::get_if<std::optional<std::string>>(&one.what.value);
        if (member && ((number != nullptr && !*number) || (text != nullptr && !*text)))
            return;
        break;
    }
    default:
        break;
    }
    if (member)
        in.add(std::move(key), std::move(value));
    else
        in.add(std::move(value));
}

std::size_t size_of(const node& what) {
    std::string json;
    append_json(json, expect(what, as_written));
    return 6 * json.size();
}

} // namespace sluice::test
