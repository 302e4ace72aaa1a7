// drmemtrace traces of DynamoRIO.
#pragma once
#include "drmemtrace/check.hpp"
#include "drmemtrace/descriptor.hpp"
#include "drmemtrace/feed.hpp"
#include "drmemtrace/instruction_writer.hpp"
#include "drmemtrace/rows.hpp"
#include "drmemtrace/writer.hpp"
#include "file.hpp"
