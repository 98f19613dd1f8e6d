// Whether two JSON texts are the same document, written alike but for the notation of numbers.
#pragma once

#include <string>
#include <string_view>

namespace bench {

/// Empty when they are; otherwise where they part. Outside numbers every byte counts. Numbers, which writers put in
/// different notations (16, 16.0, 1.6E1), must read as the same double.
std::string first_difference(std::string_view left, std::string_view right);

} // namespace bench
