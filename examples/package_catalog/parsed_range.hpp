// A range of the items that a parser finds in a text one after another: nothing is stored, nothing is allocated.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

namespace package_catalog {

// Parser is a copyable function object with a `value_type` and
//     bool operator()(std::string_view& rest, value_type& item);
// that takes the next item off the front of `rest`, or returns false when there is none. The range is copyable,
// trivially destructible and an input range; every begin() starts again at the front. Items look into the text, not
// into the range, so `for (auto item : parsed_range<P>(text))` is right, in coroutines too.
template <class Parser>
class parsed_range {
public:
    using value_type = typename Parser::value_type;

    class iterator {
    public:
        using value_type = typename Parser::value_type;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::input_iterator_tag;

        iterator() = default;
        explicit iterator(std::string_view text) : rest_(text) { ++*this; }

        const value_type& operator*() const noexcept { return item_; }
        const value_type* operator->() const noexcept { return &item_; }
        iterator& operator++() {
            done_ = !parser_(rest_, item_);
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(const iterator& it, std::default_sentinel_t) noexcept { return it.done_; }

    private:
        std::string_view rest_;
        Parser parser_{};
        value_type item_{};
        bool done_ = true;
    };

    parsed_range() = default;
    explicit parsed_range(std::string_view text) noexcept : text_(text) {}

    iterator begin() const { return iterator(text_); }
    std::default_sentinel_t end() const noexcept { return {}; }
    std::string_view text() const noexcept { return text_; }

private:
    std::string_view text_;
};

} // namespace package_catalog
