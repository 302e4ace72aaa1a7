// RapidBin events as simulator instructions, by the choices of feed/address_map.hpp, and what searches
// ask of them.
#pragma once
#include "feed/trace_feed.hpp"
#include "feed/values.hpp"
