#include <gtest/gtest.h>
#include <sluice/http/respond.hpp>
#include <rapidjson/document.h> // planted
