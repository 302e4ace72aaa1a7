// Converts a trace of any format to a drmemtrace trace.
#include <tracecodec/trace/reader.hpp>

#include <exception>
#include <utility>

#include "../../common/progress.hpp"
#include "../pack_output.hpp"
#include "column_rows.hpp"
#include "conversion.hpp"

namespace convert {

void any_to_drmemtrace(tracecodec::trace::source in, const options& o, const format& /*to*/,
                       io::codec compression) {
  using tracecodec::feed::column;
  using tracepack::processor;
  refuse_for_drmemtrace(o);
  const format_conversion& own = conversion_of(in.format());
  processor whose = processor::x86_64;
  if (in.packed() != nullptr)
    whose = in.packed()->processor;
  else if (own.processor != nullptr)
    whose = own.processor(in);
  tracecodec::trace::reader from(std::move(in), o.as);
  const bool code =
      from.has().has(column::code) && (whose == processor::x86_64 || whose == processor::x86_32);
  drmemtrace_output out(open_drmemtrace(o.out, compression, o.packing), output_name(o),
                        code ? whose : processor::unknown,
                        from.has().has(column::thread_known) && !o.as.thread);
  drmemtrace_rows rows(from, out, code);
  std::exception_ptr failure;
  const auto more = [&](bool first) {
    try {
      if (first) go_to(from, o.part);
      return rows.next();
    } catch (const io::interruption&) {
      throw;
    } catch (...) {
      failure = std::current_exception();
      return false;
    }
  };
  {
    examples::progress_line progress(o.in);
    for (bool some = more(true); some; some = more(false)) {
      stop_if_interrupted();
      rows.write();
      progress.at(from.progress());
    }
  }
  rows.end();
  report(out.unknown(), say);
  finish(out, out.written(), failure, o);
}

}  // namespace convert
