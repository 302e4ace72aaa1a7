// Includes all headers for RapidBin traces. Reading the metadata of these traces needs simdjson
// (TRACECODEC_WITH_SIMDJSON, -lsimdjson).
#pragma once
#include "rapidbin/bulk.hpp"
#include "rapidbin/check.hpp"
#include "rapidbin/feed.hpp"
#include "rapidbin/open.hpp"
#include "rapidbin/reader.hpp"
#include "rapidbin/reader/renumber.hpp"
#include "rapidbin/reader/sharers.hpp"
#include "rapidbin/reader/std_reader.hpp"
#include "rapidbin/recognise.hpp"
#include "rapidbin/rows.hpp"
#include "rapidbin/std_writer.hpp"
#include "rapidbin/symbolic_writer.hpp"
#include "rapidbin/well_formed.hpp"
#include "rapidbin/writer.hpp"
#if defined(TRACECODEC_WITH_SIMDJSON)
#include "rapidbin/read_metadata.hpp"
#else
namespace tracecodec::rapidbin {
// Does not compile if it is called.
template <class Input> metadata read_metadata(const Input&, const metadata_options& = {}) {
  static_assert(sizeof(Input) == 0,
                "reading the metadata requires simdjson: define TRACECODEC_WITH_SIMDJSON and link "
                "with -lsimdjson");
  return {};
}
}  // namespace tracecodec::rapidbin
#endif
