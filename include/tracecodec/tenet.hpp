// Tenet's traces: lines, reader, feed, check, rows, writer.
#pragma once
#include "tenet/check.hpp"
#include "tenet/descriptor.hpp"
#include "tenet/feed.hpp"
#include "tenet/line.hpp"
#include "tenet/reader.hpp"
#include "tenet/rows.hpp"
#include "tenet/writer.hpp"
