// drmemtrace traces of DynamoRIO.
#pragma once
#include "drmemtrace/check.hpp"
#include "drmemtrace/descriptor.hpp"
#include "drmemtrace/feed.hpp"
#include "drmemtrace/rows.hpp"
#include "file.hpp"
