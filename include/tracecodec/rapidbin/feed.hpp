// RapidBin events as simulator instructions, and queries on the values of events.
// feed/address_map.hpp assigns addresses to the instructions.
#pragma once
#include "feed/trace_feed.hpp"
#include "feed/values.hpp"
