// Documents made at random, the same ones for a seed on every machine: their data, how each part is to be written, and
// what is to come of it.
#pragma once

#include "datum.hpp"
#include <sluice/render/key_format.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace sluice::test {

enum class season { spring, summer, autumn, winter };
BOOST_DESCRIBE_ENUM(season, spring, summer, autumn, winter)

struct record {
    int id = 0;
    std::string full_name;
    std::optional<double> last_score;
    std::vector<std::string> tag_list;
    std::map<std::string, std::int64_t> counts_by_name;
};
BOOST_DESCRIBE_STRUCT(record, (), (id, full_name, last_score, tag_list, counts_by_name))

using moment = std::chrono::sys_time<std::chrono::milliseconds>;
using word_or_list = std::variant<std::monostate, int, std::string, std::vector<int>>;

// Every kind of value that a template may be given.
using any_value = std::variant<
    std::nullptr_t, bool, char, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
    std::int64_t, std::uint64_t, long long, unsigned long long, float, double, std::string, std::string_view,
    const char*, std::optional<int>, std::optional<std::string>, std::vector<std::int64_t>, std::vector<std::string>,
    std::vector<bool>, std::vector<std::optional<double>>, std::map<std::string, double>,
    std::map<std::string, std::vector<float>>, record, std::vector<record>, std::tuple<int, std::string, double>,
    std::pair<bool, std::uint8_t>, word_or_list, std::vector<word_or_list>, moment, season>;

// How a part is written; what does not fit its value is written by `slot`.
enum class manner {
    slot,           // write(json[key])
    early_slot,     // the slot is taken before it is needed, and moved
    direct,         // json(key, value)
    temporary,      // json(key, std::string(...))
    variant,        // json(key, the std::variant)
    put,            // in a put
    captured,       // in a capture that is spliced
    captured_value, // slot.capture, spliced into the slot
    spliced,        // as bytes of the tests' own
    merged,         // a container's parts, in the place of the container
    picked,         // json(key, value, only<...>)
    omitted,        // json(key, optional, absent_policy::omit)
    pieces,         // a string, by string_writer
};
constexpr unsigned manners = 13;

// The formats of keys, each with the tests' own idea of what it does.
struct spelling {
    const key_format* format;
    std::string (*spell)(std::string_view name);
};
const std::vector<spelling>& spellings();
constexpr int as_written = 0; // of spellings()

struct part;

struct node {
    enum class kind { value, array, object, laid_out };
    kind what = kind::value;
    any_value value;
    std::vector<part> parts; // one, of what is laid out
    int spelling = -1;       // of a container: an own format
    unsigned way = 0;        // one of several ways to write a container
};

struct part {
    int literal = -1; // of literal_names, or a run-time name
    std::string name;
    node what;
    manner how = manner::slot;
    unsigned run = 0;   // of a put and a capture: how many parts more
    unsigned pause = 0; // what is done before it
};

extern const std::vector<std::string> literal_names;

class document_maker {
public:
    explicit document_maker(std::uint64_t seed) : random_(seed) {}

    node make() {
        left_ = 4 + static_cast<int>(below(60));
        long_texts_ = chance(8) ? 1 : 0;
        return any_node(0);
    }
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
    bool chance(std::size_t one_in) { return below(one_in) == 0; }

private:
    static constexpr int max_depth = 8;

    node any_node(int depth);
    part any_part(bool member, int depth);
    std::string any_name();
    std::string any_text();
    template <class T>
    T any();

    void fill(std::nullptr_t&) {}
    void fill(std::monostate&) {}
    void fill(bool& value) { value = chance(2); }
    void fill(char& value) { value = static_cast<char>(below(128)); }
    void fill(float& value);
    void fill(double& value);
    void fill(std::string& value) { value = any_text(); }
    void fill(std::string_view& value);
    void fill(const char*& value);
    void fill(record& value);
    void fill(moment& value);
    void fill(season& value) { value = static_cast<season>(below(4)); }
    template <std::integral T>
    void fill(T& value);
    template <class T>
    void fill(std::optional<T>& value);
    template <class T>
    void fill(std::vector<T>& value);
    template <class T>
    void fill(std::map<std::string, T>& value);
    template <class A, class B>
    void fill(std::pair<A, B>& value);
    template <class... T>
    void fill(std::tuple<T...>& value);
    template <class... T>
    void fill(std::variant<T...>& value);

    std::mt19937_64 random_;
    int left_ = 0; // parts that may still be made
    int long_texts_ = 0;
};

// What is to be read, with keys as the format `spelling` spells them.
datum expect(const node& what, int spelling);
// What stands in the place of a part: of an object its members, of an array its elements.
void expect_part(datum& in, const part& one, int spelling);
// Its name, before it is formatted.
const std::string& name_of(const part& one);

// Bytes that a value takes at most.
std::size_t size_of(const node& what);

} // namespace sluice::test
