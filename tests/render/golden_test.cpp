#include "golden_cases.hpp"
#include "json_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace sluice::test {

namespace {

// Says where two documents differ, and shows only that: some are of several megabytes.
::testing::AssertionResult same(std::string_view rendered, std::string_view golden) {
    if (rendered == golden)
        return ::testing::AssertionSuccess();
    const auto at = static_cast<std::size_t>(
        std::mismatch(rendered.begin(), rendered.end(), golden.begin(), golden.end()).first - rendered.begin());
    const std::size_t from = at < 40 ? 0 : at - 40;
    return ::testing::AssertionFailure() << "sizes " << rendered.size() << " and " << golden.size() << ", byte " << at
                                         << ":\n  " << rendered.substr(from, 80) << "\n  " << golden.substr(from, 80);
}

// The last key on the path of a scalar: "b" of `$.a[3].b[1]`.
std::string_view last_key(std::string_view path) {
    while (path.ends_with(']'))
        path.remove_suffix(path.size() - path.rfind('['));
    return path.substr(path.rfind('.') + 1);
}

// A key without what a key format changes.
std::string spelt_like_its_member(std::string_view key) {
    std::string letters;
    for (const char c : key)
        if (c != '_')
            letters += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return letters;
}

} // namespace

TEST(GoldenTest, EveryDocumentComesOutByteForByte) {
    ASSERT_EQ(golden_cases().size(), 44U);
    for (const golden_case& one : golden_cases()) {
        SCOPED_TRACE(one.file);
        ASSERT_TRUE(is_json(one.bytes));
        EXPECT_TRUE(same(to_string(one.write, one.options), one.bytes));
    }
}

TEST(GoldenTest, ChangingOneDatumChangesJustItsValue) {
    std::size_t changed_in_all = 0;
    for (const golden_case& one : golden_cases()) {
        SCOPED_TRACE(one.file);
        if (one.file == "readme_yield_twice.json") // whose point is that each datum stands there twice
            continue;
        const std::string_view golden = one.bytes;
        const std::vector<datum> all = one.data();
        // Every datum of the documents below 30 KB; of the others some, a prime number apart.
        const std::size_t stride = golden.size() < 30'000 ? 1 : golden.size() < 100'000 ? 53 : 7919;
        // And the first of them all, so that each field is among them.
        json_reader reader(golden);
        ASSERT_TRUE(reader.read());
        for (std::size_t i = 0; i < all.size(); i += i < 40 ? 1 : stride) {
            const std::string marker = all[i].change();
            const std::string changed = to_string(one.write, one.options);
            all[i].restore();
            ++changed_in_all;
            const std::size_t at = changed.find(marker);
            ASSERT_NE(at, std::string::npos) << "datum " << i;
            const std::string_view before = std::string_view(changed).substr(0, at);
            const std::string_view after = std::string_view(changed).substr(at + marker.size());
            ASSERT_TRUE(golden.size() > before.size() + after.size() && golden.starts_with(before) &&
                        golden.ends_with(after))
                << "datum " << i << " changed more than one value";
            const std::string_view token = golden.substr(at, golden.size() - before.size() - after.size());
            EXPECT_EQ(json_reader::string_value(token).value_or(std::string(token)), all[i].text);
            // It stands where its name says: of two members of the same value neither is written in the other's place.
            const auto scalar = std::find_if(reader.scalars().begin(), reader.scalars().end(),
                                             [&](const json_scalar& s) { return s.at == at; });
            ASSERT_NE(scalar, reader.scalars().end()) << "datum " << i;
            if (one.file != "readme_merge_array.json" && !all[i].member.empty()) { // whose lists have no keys
                EXPECT_EQ(spelt_like_its_member(last_key(scalar->path)), spelt_like_its_member(all[i].member))
                    << "datum " << i << ": " << all[i].member << " stands at " << scalar->path;
            }
        }
        // The data are as they were.
        if (golden.size() < 100'000) {
            EXPECT_TRUE(same(to_string(one.write, one.options), golden));
        }
    }
    EXPECT_GT(changed_in_all, 1000U);
}

// One value behind each scalar: nothing else stands in a document than what the data say.
TEST(GoldenTest, EveryScalarOfADocumentIsADatum) {
    for (const golden_case& one : golden_cases()) {
        SCOPED_TRACE(one.file);
        json_reader reader(one.bytes);
        ASSERT_TRUE(reader.read());
        std::size_t without_datum = 0;
        if (one.file == "readme_inject.json")
            without_datum = 2; // of the splice
        else if (one.file == "readme_null.json")
            without_datum = 1; // the author who is not there
        else if (one.file == "readme_yield_in_array.json")
            without_datum = 1; // of the layout
        else if (one.file == "readme_yield_twice.json" || one.file == "readme_yield_twice_counter.json")
            without_datum = 2; // of the second run; of the counter
        EXPECT_EQ(reader.scalars().size(), one.data().size() + without_datum);
    }
}

} // namespace sluice::test
