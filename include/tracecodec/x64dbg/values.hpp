// Forwards to feed.hpp, which includes the queries on the values of x64dbg feeds (feed/values.hpp).
#pragma once
#include "feed.hpp"
