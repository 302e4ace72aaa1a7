// Register and memory values of a feed's instructions: feed/values.hpp, which feed.hpp includes.
#pragma once
#include "feed.hpp"
