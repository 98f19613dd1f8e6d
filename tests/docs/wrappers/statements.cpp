// For a fragment that is statements of a program, with Sluice's templates at hand.
#include <sluice/sluice.hpp>

#include <iostream>
#include <string>
#include <utility>

inline void example() {
@fragment@
}
