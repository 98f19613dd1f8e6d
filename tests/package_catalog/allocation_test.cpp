// Reading a catalogue allocates nothing once the record has its capacity. In a program of its own, for it replaces new.
#include "control_file.hpp"
#include "data_source.hpp"
#include "mapped_file.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

namespace {

std::atomic<std::size_t> allocations{0};

} // namespace

void* operator new(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size ? size : 1))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

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
    const std::size_t before = allocations;
    const std::size_t sum = read_sample(file.text(), current, buffer);
    const std::size_t after = allocations;
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(after, before);
}

TEST(AllocationTest, AnAllocationIsCounted) {
    const std::size_t before = allocations;
    const std::string planted(100, 'x');
    EXPECT_EQ(allocations, before + 1) << planted;
}

} // namespace
} // namespace package_catalog
