// BT9 traces: graph, reader, feed, check, rows.
#pragma once
#include "bt9/check.hpp"
#include "bt9/descriptor.hpp"
#include "bt9/feed.hpp"
#include "bt9/graph.hpp"
#include "bt9/reader.hpp"
#include "bt9/rows.hpp"
