#include "beside.hpp"
