#include <sluice/render/key.hpp>

#include <stdexcept>

namespace sluice::detail {

void a_key_is_a_null_pointer() {
    throw std::invalid_argument("sluice: a key is a null pointer");
}

} // namespace sluice::detail
