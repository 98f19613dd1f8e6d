// Random documents, written by randomly chosen forms of the DSL: what a strict reader reads is what was written, to the
// last bit, and the bytes are the same in all buffers and at any pace of the sink.
//
// SLUICE_DOCUMENTS=N in the environment makes N of them. With SLUICE_DOCUMENTS_DIR=DIR each is rendered once, into
// DIR/I.json, with what it says in DIR/I.expected, for check_documents.py.
#include "json_tree.hpp"
#include "random_document.hpp"
#include "runner.hpp"
#include <sluice/coro/this_chain.hpp>
#include <sluice/sluice.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::test {

namespace {

// ---- how a document is written ---------------------------------------------------------------------------------

// The compiler checks literals, so each is written out.
key key_of(const part& one) {
    switch (one.literal) {
    case 0:
        return "id";
    case 1:
        return "first_name";
    case 2:
        return "created_at";
    case 3:
        return "a_b_c";
    case 4:
        return "a_literal_that_is_longer_than_what_is_kept_ready";
    case 5:
        return "with\"quote_inside";
    case 6:
        return "tag<b>_in_it";
    case 7:
        return "gr\xc3\xb6\xc3\x9f"
               "e_m";
    case 8:
        return "";
    default:
        return one.name;
    }
}

task<> write(slot out, const node& what);
task<> write_parts(object& json, const std::vector<part>& parts, std::size_t from, std::size_t to, bool inside);
task<> write_parts(array& list, const std::vector<part>& parts, std::size_t from, std::size_t to, bool inside);

object open_object(slot out, const node& what) {
    if (what.spelling < 0)
        return out.object();
    return out.object(*spellings()[static_cast<std::size_t>(what.spelling)].format);
}
array open_array(slot out, const node& what) {
    if (what.spelling < 0)
        return out.array();
    return out.array(*spellings()[static_cast<std::size_t>(what.spelling)].format);
}

task<> write_value(slot out, const any_value& value) {
    // Each alternative by its own type.
    const auto one = [&out](const auto& held) -> task<> { co_await out(held); };
    co_await std::visit(one, value);
}

async_generator<const part> parts_of(const std::vector<part>& all) {
    for (const part& one : all) {
        co_await coro::yield();
        co_yield one;
    }
}

task<> write_array(slot out, const node& what) {
    // Where each part goes into a slot of its own, each may write them.
    const bool plain = std::all_of(what.parts.begin(), what.parts.end(), [](const part& one) {
        return one.how != manner::spliced && one.how != manner::merged && one.how != manner::picked;
    });
    const auto write_one = [](slot place, const part& one) { return write(std::move(place), one.what); };
    if (plain && what.spelling < 0 && what.way == 0) {
        co_await out.each(what.parts, write_one);
    } else if (plain && what.spelling < 0 && what.way == 1) {
        co_await out.each(parts_of(what.parts), write_one);
    } else {
        auto list = open_array(std::move(out), what);
        co_await write_parts(list, what.parts, 0, what.parts.size(), false);
    }
}

layout wrap(slot out, const node& what) {
    auto json = open_object(std::move(out), what);
    co_await json("layout_version", 3);
    co_yield json["wrapped_data"];
    if (what.way % 2 != 0)
        co_yield json["again_data"];
}

task<> write(slot out, const node& what) {
    switch (what.what) {
    case node::kind::value:
        co_await write_value(std::move(out), what.value);
        break;
    case node::kind::array:
        co_await write_array(std::move(out), what);
        break;
    case node::kind::object: {
        auto json = open_object(std::move(out), what);
        co_await write_parts(json, what.parts, 0, what.parts.size(), false);
        break;
    }
    case node::kind::laid_out: {
        const auto inside = [&what](slot place) { return write(std::move(place), what.parts[0].what); };
        auto laid = in_layout(wrap, inside, what);
        co_await laid(std::move(out));
        break;
    }
    }
}

// A part into its slot, by those manners that are about slots.
task<> fill(slot out, const part& one) {
    const auto* text = std::get_if<std::string>(&one.what.value);
    if (one.how == manner::captured_value) {
        const auto inside = [&one](slot place) { return write(std::move(place), one.what); };
        const std::string bytes = co_await out.capture(inside);
        co_await out.splice(bytes);
    } else if (one.how == manner::early_slot) {
        slot moved = std::move(out);
        co_await coro::yield();
        co_await write(std::move(moved), one.what);
    } else if (one.how == manner::variant && one.what.what == node::kind::value) {
        co_await out(one.what.value);
    } else if (one.how == manner::pieces && one.what.what == node::kind::value && text != nullptr) {
        auto pieces = out.string();
        for (std::size_t at = 0; at < text->size(); at += one.run + 1) {
            const std::string_view piece = std::string_view(*text).substr(at, one.run + 1);
            co_await pieces(piece);
        }
    } else {
        co_await write(std::move(out), one.what);
    }
}

// The bytes of a part, not the library's.
std::string bytes_of(const part& one, bool member) {
    std::string bytes;
    if (member) {
        append_json_text(bytes, name_of(one));
        bytes += ':';
    }
    append_json(bytes, expect(one.what, as_written));
    return bytes;
}

task<> write_part(object& json, const part& one) {
    const key name = key_of(one);
    const any_value& value = one.what.value;
    if (one.what.what == node::kind::value && one.how == manner::direct) {
        const auto by_type = [&](const auto& held) -> task<> { co_await json(name, held); };
        co_await std::visit(by_type, value);
    } else if (one.what.what == node::kind::value && one.how == manner::variant) {
        co_await json(name, value);
    } else if (const auto* text = std::get_if<std::string>(&value);
               one.what.what == node::kind::value && one.how == manner::temporary && text != nullptr) {
        co_await json(name, std::string(*text));
    } else if (const auto* list = std::get_if<std::vector<std::string>>(&value);
               one.what.what == node::kind::value && one.how == manner::temporary && list != nullptr) {
        std::vector<std::string> copy = *list;
        co_await json(name, moved(copy));
    } else if (const auto* map = std::get_if<std::map<std::string, double>>(&value);
               map != nullptr && one.how == manner::merged) {
        co_await json.merge(*map);
    } else if (map != nullptr && one.how == manner::picked) {
        co_await json(name, *map, except<"no_such_key">);
    } else if (const auto* all = std::get_if<record>(&value); all != nullptr && one.how == manner::merged) {
        co_await json.merge(*all);
    } else if (all != nullptr && one.how == manner::picked) {
        co_await json(name, *all, only<"tag_list", "id">);
    } else if (const auto* number = std::get_if<std::optional<int>>(&value);
               number != nullptr && one.how == manner::omitted) {
        co_await json(name, *number, absent_policy::omit);
    } else if (const auto* words = std::get_if<std::optional<std::string>>(&value);
               words != nullptr && one.how == manner::omitted) {
        co_await json(name, *words, absent_policy::omit);
    } else if (one.how == manner::spliced) {
        const std::string bytes = bytes_of(one, true);
        if (one.run == 0)
            co_await json.splice(std::string_view(bytes));
        else if (one.run == 1)
            co_await json.splice(shared_bytes(bytes));
        else
            co_await json.splice(std::string(bytes));
    } else if (one.literal < 0 && one.run == 0) {
        std::string own = one.name;
        co_await fill(json[std::move(own)], one);
    } else {
        co_await fill(json[name], one);
    }
}

task<> write_part(array& list, const part& one) {
    const any_value& value = one.what.value;
    if (one.what.what == node::kind::value && one.how == manner::direct) {
        const auto by_type = [&](const auto& held) -> task<> { co_await list.list(held); };
        co_await std::visit(by_type, value);
    } else if (one.what.what == node::kind::value && one.how == manner::variant) {
        co_await list.list(value);
    } else if (const auto* text = std::get_if<std::string>(&value);
               one.what.what == node::kind::value && one.how == manner::temporary && text != nullptr) {
        co_await list.list(std::string(*text));
    } else if (const auto* words = std::get_if<std::vector<std::string>>(&value);
               words != nullptr && one.how == manner::merged) {
        co_await list.merge(*words);
    } else if (const auto* records = std::get_if<std::vector<record>>(&value);
               records != nullptr && one.how == manner::merged) {
        co_await list.merge(*records);
    } else if (const auto* map = std::get_if<std::map<std::string, double>>(&value);
               map != nullptr && one.how == manner::picked) {
        co_await list.list(*map, except<"no_such_key">);
    } else if (const auto* all = std::get_if<record>(&value); all != nullptr && one.how == manner::picked) {
        co_await list.list(*all, only<"tag_list", "id">);
    } else if (one.how == manner::spliced) {
        const std::string bytes = bytes_of(one, false);
        if (one.run == 0)
            co_await list.splice(std::string_view(bytes));
        else if (one.run == 1)
            co_await list.next().splice(shared_bytes(bytes));
        else
            co_await list.splice(std::string(bytes));
    } else {
        co_await fill(list.next(), one);
    }
}

bool can_be_put(const part& one) {
    return one.how == manner::put && one.what.what == node::kind::value && size_of(one.what) < 1000 &&
           name_of(one).size() < 100;
}

// Parts `from` to `to`, with what stands around them: pauses, captures, puts. `inside`: of a capture already.
template <class Container>
task<> write_with_captures(Container& into, const std::vector<part>& parts, std::size_t from, std::size_t to,
                           bool inside) {
    for (std::size_t i = from; i < to;) {
        const part& one = parts[i];
        if (one.pause == 0)
            co_await into.flush();
        else if (one.pause == 1)
            co_await coro::yield();
        const std::size_t end = std::min(to, i + 1 + one.run);
        if (one.how == manner::captured && !inside) {
            const auto these = [&](Container& captured) { return write_parts(captured, parts, i, end, true); };
            std::string bytes = co_await into.capture(these);
            co_await into.splice(std::move(bytes));
            i = end;
        } else if (can_be_put(one)) {
            std::size_t next = i;
            co_await into.put([&](auto& plain) {
                for (; next < end && can_be_put(parts[next]); ++next) {
                    if constexpr (std::is_same_v<Container, object>)
                        plain(key_of(parts[next]), parts[next].what.value);
                    else
                        plain(parts[next].what.value);
                }
            });
            i = next;
        } else {
            co_await write_part(into, one);
            ++i;
        }
    }
}

task<> write_parts(object& json, const std::vector<part>& parts, std::size_t from, std::size_t to, bool inside) {
    return write_with_captures(json, parts, from, to, inside);
}
task<> write_parts(array& list, const std::vector<part>& parts, std::size_t from, std::size_t to, bool inside) {
    return write_with_captures(list, parts, from, to, inside);
}

// ---- how it is rendered ----------------------------------------------------------------------------------------

// Into a sink that takes these many bytes at a time, in turn, again and again; 0 is a moment in which it takes nothing.
outcome render_with_stalls(const content& what, std::size_t chunk, std::size_t mark,
                           const std::vector<std::size_t>& steps) {
    chunk_pool pool(chunk);
    outcome came;
    held_render run(what, buffered_by({}, pool, mark));
    run.start();
    for (std::size_t turn = 0, idle = 0; !run.ended(); ++turn) {
        const std::size_t ran = run.clock.run_until_idle();
        const std::size_t taken = run.sink.accept(steps[turn % steps.size()]);
        idle = ran == 0 && taken == 0 && !run.clock.advance_to_next() ? idle + 1 : 0;
        if (idle > 2 * steps.size()) {
            came.stalled = true;
            return came;
        }
    }
    came.result = run.result();
    came.bytes = run.sink.received();
    came.misuse = run.sink.misuse();
    return came;
}

std::uint64_t documents() {
    const char* const given = std::getenv("SLUICE_DOCUMENTS");
    return given == nullptr ? 300 : std::strtoull(given, nullptr, 10);
}

void expect_tree(const std::string& bytes, bool compact, const datum& expected) {
    const std::optional<json_tree> read = read_json(bytes, compact);
    ASSERT_TRUE(read.has_value()) << bytes;
    ASSERT_EQ(difference(*read, expected), "") << bytes;
}

void write_file(const std::string& name, const std::string& bytes) {
    std::ofstream file(name, std::ios::binary);
    file << bytes;
    file.flush();
    ASSERT_TRUE(file.good()) << name;
}

} // namespace

TEST(PropertyTest, WhatIsReadIsWhatWasWrittenInAllBuffersAndAtAnyPace) {
    const char* const folder = std::getenv("SLUICE_DOCUMENTS_DIR");
    for (std::uint64_t seed = 0; seed < documents(); ++seed) {
        SCOPED_TRACE("document " + std::to_string(seed));
        document_maker maker(seed);
        const node made = maker.make();
        const datum expected = expect(made, as_written);
        const content what = [&made](slot out) { return write(std::move(out), made); };
        const std::string bytes = to_string(what);
        expect_tree(bytes, true, expected);
        if (folder != nullptr) {
            const std::string name = folder + std::string("/") + std::to_string(seed);
            std::string lines;
            append_lines(lines, expected);
            write_file(name + ".json", bytes);
            write_file(name + ".expected", lines);
        } else {
            expect_tree(to_string(what, json_options().indent(2)), false, expected);
            expect_tree(to_string(what, json_options().html_safe(true)), true, expected);
            std::vector<std::size_t> steps = {1 + maker.below(100)};
            while (steps.size() < 5)
                steps.push_back(maker.below(100));
            const std::size_t chunk = 1 + seed % 64;
            for (const std::size_t mark : {std::size_t{1}, 2 * chunk}) {
                const outcome came = render_with_stalls(what, chunk, mark, steps);
                ASSERT_FALSE(came.stalled);
                ASSERT_EQ(came.result.message(), "");
                ASSERT_TRUE(came.bytes == bytes) << "chunk " << chunk << ", mark " << mark;
                ASSERT_EQ(came.misuse, "");
            }
        }
        if (HasFailure())
            return;
    }
}

// The documents are what the test above means by "random": every kind of value and every manner is among the first.
TEST(PropertyTest, TheDocumentsHoldEverything) {
    std::set<std::size_t> values;
    std::set<std::pair<manner, node::kind>> ways;
    std::set<int> formats;
    int deepest = 0;
    const auto look = [&](const auto& self, const node& what, int depth) -> void {
        deepest = std::max(deepest, depth);
        formats.insert(what.spelling);
        if (what.what == node::kind::value)
            values.insert(what.value.index());
        for (const part& one : what.parts) {
            ways.emplace(one.how, one.what.what);
            self(self, one.what, depth + 1);
        }
    };
    for (std::uint64_t seed = 0; seed < 300; ++seed)
        look(look, document_maker(seed).make(), 0);
    EXPECT_EQ(values.size(), std::variant_size_v<any_value>);
    EXPECT_EQ(ways.size(), manners * 4U);
    EXPECT_EQ(formats.size(), spellings().size() + 1);
    EXPECT_EQ(deepest, 8);
}

} // namespace sluice::test
