#include "conversion.hpp"

#include <tracecodec/umtracer/descriptor.hpp>
#include <tracecodec/umtracer/reader.hpp>

#include <array>

namespace convert {

namespace {

namespace umtracer = tracecodec::umtracer;

// Returns the processor type of the trace, according to its first record.
tracecodec::tracepack::processor umtracer_processor(tracecodec::trace::source& in) {
  using tracecodec::tracepack::processor;
  const umtracer::reader records(in.name(), {.lenient = true});
  return records.size() != 0 && !records[0].code64() ? processor::x86_32 : processor::x86_64;
}

constexpr std::array<conversion_target, 1> umtracer_targets{
    {{&umtracer::descriptor::facts, copy_umtracer, true}}};

}  // namespace

constexpr format_conversion umtracer_conversion{
    .format = &umtracer::descriptor::facts,
    .targets = umtracer_targets,
    .to_rows = umtracer_to_rows,
    .rows_cut_shards = true,
    .disassembles = true,
    .processor = umtracer_processor,
    .help =
        "An UMTracer trace is a folder. If OUT is an empty folder, or a new one whose name ends in "
        "/, "
        "an x64dbg or UMTracer trace becomes an UMTracer trace. --skip, --limit and --thread count "
        "the records of an UMTracer trace."};

}  // namespace convert
