#pragma once
#include <memory>

#include "../../analysis/run.hpp"
#include "../../io/error.hpp"
#include "../../io/os/path.hpp"
#include "../../io/output/atomic_file.hpp"
#include "../index.hpp"
#include "../index_writer.hpp"
#include "../memory_builder.hpp"
#include "../trace_identity.hpp"

namespace tracecodec::query {

TRACECODEC_FUNC std::string index_name(const std::string& path) {
  std::string name = path;
  while (name.size() > 1 && io::ends_with_separator(name)) name.pop_back();
  return name + index_suffix;
}

TRACECODEC_FUNC index_totals write_index(feed::column_source& trace, const std::string& path,
                                         const std::string& to,
                                         const std::function<void()>& passed) {
  const trace_identity before = identity_of(path);
  trace.rewind();
  index_writer out(std::make_unique<io::atomic_file>(to));
  memory_builder memory(trace.has());
  analysis::run(
      trace,
      [&] {
        if (passed) passed();
      },
      memory);
  memory.write(out);
  const trace_identity after = identity_of(path);
  if (after != before)
    throw trace_error(trace_errc::refused, {.file = path},
                      "has changed while its index was made; make the index again");
  front about{};
  about.trace_size = after.size;
  about.trace_time = after.time;
  about.trace_parts = after.parts;
  about.instructions = trace.position();
  out.finish(about);
  return {.instructions = trace.position(), .accesses = memory.result()};
}

TRACECODEC_FUNC trace_index::trace_index(const std::string& file, const std::string& path)
    : file_(file), memory_(file_) {
  const trace_identity trace = identity_of(path);
  const front& about = file_.front();
  if (about.trace_size != trace.size || about.trace_parts != trace.parts)
    throw trace_error(trace_errc::refused, {.file = file},
                      "is the index of another trace, or the trace has changed; make the index "
                      "again (trace_index)");
}

}  // namespace tracecodec::query
