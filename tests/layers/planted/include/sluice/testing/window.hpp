#include <gtest/gtest.h> // planted
