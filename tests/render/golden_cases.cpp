#include "golden_cases.hpp"

#include "golden_templates.hpp"

#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>

#include <concepts>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <zlib.h>

namespace sluice::test {

namespace {

std::string read_golden(const std::string& name) {
    const std::string path = SLUICE_GOLDEN_DIR "/" + name;
    // Reads a file that is not compressed as it is.
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), &gzclose);
    if (!file)
        throw std::runtime_error("cannot read " + path);
    std::string bytes;
    char piece[65536];
    for (int size = 0; (size = gzread(file.get(), piece, sizeof piece)) != 0;) {
        if (size < 0)
            throw std::runtime_error("cannot decompress " + path);
        bytes.append(piece, static_cast<std::size_t>(size));
    }
    if (bytes.empty())
        throw std::runtime_error(path + " is empty");
    return bytes;
}

template <class T, class Changed>
void add_datum(std::vector<datum>& all, T& place, Changed changed, std::string json, std::string text) {
    auto before = std::make_shared<T>(place);
    all.push_back({[&place, changed, json] {
                       place = changed;
                       return json;
                   },
                   [&place, before] { place = *before; },
                   std::move(text),
                   {}});
}

void visit(std::vector<datum>& all, std::string& text) {
    add_datum(all, text, "changed~datum", "\"changed~datum\"", text);
}

template <std::integral T>
void visit(std::vector<datum>& all, T& number) {
    add_datum(all, number, 190'071'013, "190071013", std::to_string(number));
}

template <class T>
    requires boost::describe::has_describe_members<T>::value
void visit(std::vector<datum>& all, T& value);
template <class T>
void visit(std::vector<datum>& all, std::vector<T>& values);
template <class T>
void visit(std::vector<datum>& all, std::map<std::string, T>& values);
template <class... T>
void visit(std::vector<datum>& all, std::variant<T...>& value);

template <class T>
void visit(std::vector<datum>& all, std::optional<T>& value) {
    if (value)
        visit(all, *value);
    else if constexpr (std::integral<T>)
        add_datum(all, value, 190'071'013, "190071013", "null");
}

template <class T>
    requires boost::describe::has_describe_members<T>::value
void visit(std::vector<datum>& all, T& value) {
    using namespace boost::describe;
    boost::mp11::mp_for_each<describe_members<T, mod_public | mod_inherited>>([&](auto descriptor) {
        const std::size_t first = all.size();
        visit(all, value.*descriptor.pointer);
        for (std::size_t i = first; i < all.size(); ++i)
            if (all[i].member.empty())
                all[i].member = descriptor.name;
    });
}

template <class T>
void visit(std::vector<datum>& all, std::vector<T>& values) {
    for (T& value : values)
        visit(all, value);
}

template <class T>
void visit(std::vector<datum>& all, std::map<std::string, T>& values) {
    for (auto& [name, value] : values) {
        const std::size_t first = all.size();
        visit(all, value);
        for (std::size_t i = first; i < all.size(); ++i)
            if (all[i].member.empty())
                all[i].member = name;
    }
}

template <class... T>
void visit(std::vector<datum>& all, std::variant<T...>& value) {
    std::visit([&](auto& held) { visit(all, held); }, value);
}

template <class Data, class Template>
void add(std::vector<golden_case>& all, std::string file, Data made, Template write, json_options options = {}) {
    auto data = std::make_shared<Data>(std::move(made));
    std::string bytes = read_golden(file);
    all.push_back({std::move(file), [data, write](slot out) { return write(std::move(out), *data); }, options,
                   [data] {
                       std::vector<datum> found;
                       visit(found, *data);
                       return found;
                   },
                   std::move(bytes)});
}

// A guest's message: an absent member has no datum to change.
struct guest_message : golden::message {};
BOOST_DESCRIBE_STRUCT(guest_message, (), (content, created_at, updated_at, author, tags, comments, attachments))

std::vector<golden_case> make_cases() {
    using namespace golden;
    std::vector<golden_case> all;
    add(all, "readme_message_show.json", message_data(), message_show);
    add(all, "readme_message_show_guest.json", guest_message{guest_message_data()}, message_show);
    add(all, "readme_message_show_rails_mode.json", message_data(), message_show, json_options().html_safe(true));
    add(all, "readme_actionview_admin.json", message_head_data(), actionview_admin);
    add(all, "readme_set.json", named{"David"}, golden::set);
    add(all, "readme_merge_hash.json", how_to_data(), merge_hash);
    add(all, "readme_merge_array.json", merged_list_data(), merge_array);
    add(all, "readme_array_skip.json", skip_data(), array_skip);
    add(all, "readme_array_skip_middle.json", skip_middle_data(), array_skip);
    add(all, "readme_array_skip_all.json", skip_all_data(), array_skip);
    add(all, "readme_array_extract.json", members_data(), array_extract);
    add(all, "readme_pluck.json", david_data(), pluck);
    add(all, "readme_key_pluck.json", david_data(), key_pluck);
    add(all, "readme_key_pluck_collection.json", people_data(), key_pluck_collection);
    add(all, "readme_array_values.json", std::vector<int>{1, 2, 3}, array_values);
    add(all, "readme_child.json", std::vector<std::string>{"hello", "world"}, golden::child);
    add(all, "readme_value.json", std::string("just a string"), golden::value);
    add(all, "readme_inject.json", injected_data(), inject);
    add(all, "readme_empty_object.json", nothing(), empty_object);
    add(all, "readme_empty_array.json", nothing(), empty_array);
    add(all, "readme_null.json", anonymous_data(), null_or_not);
    add(all, "readme_null_not.json", signed_data(), null_or_not);
    add(all, "readme_partial.json", notes_data(), partial);
    add(all, "readme_partial_collection.json", titles_data(), partial_collection);
    add(all, "readme_partial_collection_empty.json", std::vector<titled>(), partial_collection);
    add(all, "readme_partial_key.json", key_partial_data(), partial_key);
    add(all, "readme_partial_local.json", titled{1, "Hello"}, partial_local);
    add(all, "readme_key_format_camelize.json", std::string("David"), key_format_camelize);
    add(all, "readme_key_format_global.json", resident_data(), key_format_global);
    add(all, "readme_key_format_upcase.json", david_data(), key_format_upcase);
    add(all, "readme_key_format_scope.json", levels{"two", "one"}, key_format_scope);
    add(all, "readme_yield.json", laid_page{1, yielded_data()}, golden::yield);
    add(all, "readme_yield_in_array.json", yielded_data(), yield_in_array);
    add(all, "readme_yield_only.json", yielded_data(), yield_only);
    add(all, "readme_yield_twice.json", yielded_data(), yield_twice);
    add(all, "readme_yield_twice_counter.json", nothing(), yield_twice_counter);
    add(all, "readme_yield_never.json", versioned{1}, yield_never);
    add(all, "transmutation_1.json", transmutation_1_data(), transmutation_1);
    add(all, "transmutation_2.json", transmutation_2_data(), transmutation_2);
    add(all, "transmutation_3.json", transmutation_3_data(), transmutation_3);
    add(all, "transmutation_4.json", transmutation_4_data(), transmutation_4);
    add(all, "rolf.json", rolf_data(), rolf);
    add(all, "alba.json", alba_data(), alba);
    add(all, "dirk.json.gz", dirk_data(), dirk);
    return all;
}

} // namespace

const std::vector<golden_case>& golden_cases() {
    static const std::vector<golden_case> all = make_cases();
    return all;
}

} // namespace sluice::test
