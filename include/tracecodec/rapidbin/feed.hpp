// RapidBin events as simulator instructions, at the addresses that feed/address_map.hpp
// assigns, and the value queries on them.
#pragma once
#include "feed/trace_feed.hpp"
#include "feed/values.hpp"
