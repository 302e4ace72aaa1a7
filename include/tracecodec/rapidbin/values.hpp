// Forwarding header for the value queries on RapidBin events (feed/values.hpp). feed.hpp includes
// the queries.
#pragma once
#include "feed.hpp"
