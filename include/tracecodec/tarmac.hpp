// Tarmac text: lines, reader, feed, check, rows, writer.
#pragma once
#include "tarmac/check.hpp"
#include "tarmac/descriptor.hpp"
#include "tarmac/feed.hpp"
#include "tarmac/line.hpp"
#include "tarmac/reader.hpp"
#include "tarmac/rows.hpp"
#include "tarmac/style.hpp"
#include "tarmac/writer.hpp"
