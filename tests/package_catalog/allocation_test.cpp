// Reading a catalogue allocates nothing once the record has its capacity. In a program of its own, whose allocations are counted.
#include "allocations.hpp"
#include "control_file.hpp"
#include "data_source.hpp"
#include "mapped_file.hpp"

#include <gtest/gtest.h>

#include <string>

namespace package_catalog {
namespace {

std::size_t read_sample(std::string_view text, record& current, std::string& buffer) {
    std::size_t sum = 0;
    for (control_reader reader(text, "sample"); reader.read(current);) {
        for (const field& item : current.fields()) {
            sum += json_key(item, buffer).size() + text_of(item, buffer).size();
            for (const dependency_group& group : dependency_groups(item.value))
                for (const dependency& alternative : group)
                    sum += alternative.name.size();
            for (const tag& one : tag_list(item.value))
                sum += tag_of(one, buffer).size();
            sum += parse_person(item.value).name.size() + parse_size(item.value).value_or(0);
        }
    }
    return sum;
}

TEST(AllocationTest, ASecondPassAllocatesNothing) {
    const mapped_file file(sample_path());
    record current;
    std::string buffer;
    const std::size_t expected = read_sample(file.text(), current, buffer);
    ASSERT_GT(expected, 0U);
    std::size_t sum = 0;
    EXPECT_EQ(sluice::test::allocations_of([&] { sum = read_sample(file.text(), current, buffer); }), 0U);
    EXPECT_EQ(sum, expected);
}

} // namespace
} // namespace package_catalog
