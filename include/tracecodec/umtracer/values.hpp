// Includes the functions for register and memory values of the feed's instructions
// (umtracer/feed/values.hpp). feed.hpp also includes these functions.
#pragma once
#include "feed.hpp"
