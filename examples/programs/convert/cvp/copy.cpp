// Copies a CVP-1 or CBP2025 trace, to extract a part of the trace or to change the compression.
#include <tracecodec/file/writer.hpp>

#include <utility>

#include "conversion.hpp"
#include "instructions.hpp"

namespace convert {

void copy_cvp(tracecodec::trace::source in, const options& o, const format& /*to*/,
              io::codec compression) {
  refuse_improvements(o);
  with_instructions(std::move(in), [&](auto& from, auto dialect) {
    tracecodec::file::writer<cvp::trace_file<dialect()>> out(
        io::open_output(o.out, compression, o.packing), output_name(o));
    std::uint64_t written = 0;
    const auto failure = for_each_selected(from, o, [&](std::uint64_t, const auto& i) {
      out.write(i);
      ++written;
    });
    finish(out, written, failure, o);
  });
}

}  // namespace convert
