// Includes the functions for register and memory values of the feed's instructions
// (umtracer/feed/values.hpp), which feed.hpp includes, too.
#pragma once
#include "feed.hpp"
