// Forwarding header for the value queries on x64dbg feeds (feed/values.hpp). feed.hpp includes the
// queries.
#pragma once
#include "feed.hpp"
