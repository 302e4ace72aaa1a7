// What instructions of the feed know of values: feed/values.hpp, which comes with feed.hpp.
#pragma once
#include "feed.hpp"
