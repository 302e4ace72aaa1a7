// Forwards to feed.hpp, which includes the queries on the values of RapidBin events
// (feed/values.hpp).
#pragma once
#include "feed.hpp"
