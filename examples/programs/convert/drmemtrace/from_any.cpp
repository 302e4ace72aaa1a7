// Converts a trace of any format to a drmemtrace trace.
#include <tracecodec/trace/reader.hpp>

#include <utility>

#include "../format_conversion.hpp"
#include "../pack_output.hpp"
#include "../selected.hpp"
#include "column_rows.hpp"
#include "conversion.hpp"

namespace convert {

void any_to_drmemtrace(tracecodec::trace::source in, const options& o, const format& /*to*/,
                       io::codec compression) {
  using tracecodec::feed::column;
  using tracepack::processor;
  refuse_for_drmemtrace(o);
  const processor whose = processor_of(in);
  tracecodec::trace::reader from(std::move(in), o.as);
  const bool code =
      from.has().has(column::code) && (whose == processor::x86_64 || whose == processor::x86_32);
  drmemtrace_output out(open_drmemtrace(o.out, compression, o.packing), output_name(o),
                        code ? whose : processor::unknown,
                        from.has().has(column::thread_known) && !o.as.thread);
  drmemtrace_rows rows(from, out, code);
  const auto failure = for_each_read(
      from, o, [&] { return rows.next(); }, [&] { rows.write(); });
  rows.end();
  report(out.unknown(), say);
  finish(out, out.written(), failure, o);
}

}  // namespace convert
