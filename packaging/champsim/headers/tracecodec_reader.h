// Lets ChampSim read traces of all formats through tracecodec's headers. src/tracereader.cc
// includes this file after ChampSim's own headers, and must then be compiled as C++20.
#ifndef TRACECODEC_READER_H
#define TRACECODEC_READER_H

#include <string>
#include <utility>

#include <tracecodec/champsim.hpp>
#include <tracecodec/feed/adaptors.hpp>
#include <tracecodec/trace/open.hpp>

// True for traces that tracecodec_reader() opens, which are all traces.
constexpr bool tracecodec_reads(bool /*is_cloudsuite*/) { return true; }

// Returns a reader of the trace `fname`, which may have any format. `is_cloudsuite` selects
// CloudSuite's format. With `repeat` the trace begins again at its end. `cpu` is the argument that
// ChampSim passes to an instruction in addition to its record: a core's number or an origin. Throws
// tracecodec::trace_error.
template <class Cpu>
champsim::tracereader tracecodec_reader(const std::string& fname, Cpu cpu, bool is_cloudsuite, bool repeat)
{
  using tracecodec::champsim::model_reader;
  const auto over = [&]<class Record>(Record, auto feed) {
    return champsim::tracereader{model_reader<ooo_model_instr, Record>(cpu, std::move(feed))};
  };
  const auto reader = [&](auto record, auto records) {
    return repeat ? over(record, std::move(records) | tracecodec::feed::repeat{})
                  : over(record, std::move(records));
  };
  if (is_cloudsuite) {
    using cloudsuite = tracecodec::champsim::cloudsuite_instruction;
    tracecodec::trace::source from(fname, {.format = tracecodec::trace::find_format("cloudsuite")});
    return reader(cloudsuite_instr{},
                  tracecodec::champsim::trace_feed<cloudsuite>(std::move(from.input())));
  }
  return tracecodec::trace::visit(
      fname, [&](auto records) { return reader(input_instr{}, std::move(records)); });
}

#endif
