// RapidBin events as simulator instructions, and value queries on the events. The instructions
// have the addresses that feed/address_map.hpp assigns.
#pragma once
#include "feed/trace_feed.hpp"
#include "feed/values.hpp"
