// Includes the functions for register and memory values of the feed's instructions
// (umtracer/feed/values.hpp). feed.hpp includes those functions, too.
#pragma once
#include "feed.hpp"
