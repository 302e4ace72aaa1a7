// The whole library. A program that needs one format includes tracecodec/champsim.hpp; one that
// only needs the record, tracecodec/champsim/layout.hpp.
#pragma once
#include "tracecodec/champsim.hpp"
#include "tracecodec/feed/adaptors.hpp"
#include "tracecodec/feed/open.hpp"
#include "tracecodec/rapidbin.hpp"
#include "tracecodec/rows.hpp"
#include "tracecodec/umtracer.hpp"
#include "tracecodec/wire.hpp"
