// Converts a trace of any format to a drmemtrace trace.
#include <tracecodec/trace/reader.hpp>

#include <type_traits>
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
  const processor written = code ? whose : processor::unknown;
  const auto write = [&](auto& out) {
    drmemtrace_rows<std::remove_reference_t<decltype(out)>> rows(from, out, code);
    const auto failure = for_each_read(
        from, o, [&] { return rows.next(); }, [&] { rows.write(); });
    rows.end();
    report(out.unknown(), say);
    finish(out, out.written(), failure, o);
  };
  if (is_folder(o.out)) {
    drmemtrace_folder out(o.out, o.compression, o.packing, written);
    write(out);
  } else {
    drmemtrace_output out(open_drmemtrace(o.out, compression, o.packing), output_name(o), written,
                          from.has().has(column::thread_known) && !o.as.thread);
    write(out);
  }
}

}  // namespace convert
