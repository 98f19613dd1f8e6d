#include "equal_documents.hpp"

#include <charconv>
#include <cstddef>

namespace bench {

namespace {

bool begins_number(char c) noexcept {
    return c == '-' || (c >= '0' && c <= '9');
}

std::string_view number_at(std::string_view text, std::size_t at) noexcept {
    std::size_t end = at;
    while (end < text.size() &&
           (begins_number(text[end]) || text[end] == '.' || text[end] == '+' || text[end] == 'e' || text[end] == 'E'))
        ++end;
    return text.substr(at, end - at);
}

bool same_number(std::string_view left, std::string_view right) noexcept {
    double a = 0;
    double b = 0;
    const auto left_read = std::from_chars(left.data(), left.data() + left.size(), a);
    const auto right_read = std::from_chars(right.data(), right.data() + right.size(), b);
    return left_read.ptr == left.data() + left.size() && right_read.ptr == right.data() + right.size() && a == b;
}

} // namespace

std::string first_difference(std::string_view left, std::string_view right) {
    std::size_t l = 0;
    std::size_t r = 0;
    bool in_string = false;
    while (l < left.size() && r < right.size()) {
        if (!in_string && begins_number(left[l]) && begins_number(right[r])) {
            const std::string_view a = number_at(left, l);
            const std::string_view b = number_at(right, r);
            if (!same_number(a, b))
                break;
            l += a.size();
            r += b.size();
            continue;
        }
        if (left[l] != right[r])
            break;
        if (in_string && left[l] == '\\') {
            // The escaped character is compared here, so that \" does not end the string.
            if (l + 1 >= left.size() || r + 1 >= right.size() || left[l + 1] != right[r + 1])
                break;
            ++l;
            ++r;
        } else if (left[l] == '"') {
            in_string = !in_string;
        }
        ++l;
        ++r;
    }
    if (l == left.size() && r == right.size())
        return {};
    return "at byte " + std::to_string(l) + ": " + std::string(left.substr(l, 40)) + " | " +
           std::string(right.substr(r, 40));
}

} // namespace bench
