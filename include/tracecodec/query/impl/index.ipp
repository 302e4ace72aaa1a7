#pragma once
#include <array>
#include <cstddef>
#include <future>
#include <memory>
#include <system_error>

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

namespace detail {

// Reads a trace, and adds its batches to `memory` on another thread, while the next batch is read.
inline void add_all(feed::column_source& trace, memory_builder& memory,
                    const std::function<void()>& passed) {
  std::array<feed::columns, 2> batches;
  std::future<void> adding;
  trace.want(memory.columns());
  for (std::size_t i = 0; trace.next(batches[i]); i ^= 1) {
    if (adding.valid()) adding.get();
    const auto add = [&memory, &batch = batches[i]] { memory.add(batch); };
    try {
      adding = std::async(std::launch::async, add);
    } catch (const std::system_error&) {  // there is no further thread
      add();
    }
    if (passed) passed();
  }
  if (adding.valid()) adding.get();
}

}  // namespace detail

TRACECODEC_FUNC index_totals write_index(feed::column_source& trace, const std::string& path,
                                         const std::string& to,
                                         const std::function<void()>& passed) {
  const trace_identity before = identity_of(path);
  trace.rewind();
  index_writer out(std::make_unique<io::atomic_file>(to));
  memory_builder memory(trace.has());
  detail::add_all(trace, memory, passed);
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
