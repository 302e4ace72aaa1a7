// Forwarding header for the value queries on RapidBin events (feed/values.hpp), which feed.hpp
// includes.
#pragma once
#include "feed.hpp"
