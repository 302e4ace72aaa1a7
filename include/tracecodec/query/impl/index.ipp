#pragma once
#include <memory>
#include <utility>

#include "../../analysis/run.hpp"
#include "../../io/error.hpp"
#include "../../io/os/os.hpp"
#include "../../io/os/path.hpp"
#include "../../io/output/atomic_file.hpp"
#include "../execution_builder.hpp"
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

TRACECODEC_FUNC std::unique_ptr<trace_index> open_earlier_index(const std::string& file,
                                                                const std::string& path) {
  try {
    std::unique_ptr<trace_index> found(new trace_index(file));
    const front& about = found->file_.front();
    const auto beginning = identity_of_beginning(path, about.trace_size);
    if (beginning && beginning->parts == about.trace_parts && found->instructions() != 0 &&
        io::os::facts_of(path).size > about.trace_size)
      return found;
  } catch (const trace_error&) {  // the file is not an index, or is damaged
  }
  return nullptr;
}

namespace detail {

// Writes an index like write_index(). Throws trace_error(corrupt) if `earlier` is damaged.
TRACECODEC_FUNC index_totals write_index_after(feed::column_source& trace, const std::string& path,
                                               const std::string& to,
                                               const std::function<void()>& passed,
                                               std::unique_ptr<trace_index> earlier) {
  const trace_identity before = identity_of(path);
  memory_builder memory(trace.has());
  // The last instruction of the earlier trace is read again, because it may have grown, too.
  std::uint64_t begin = earlier ? earlier->instructions() - 1 : 0;
  execution_builder executions;
  trace.rewind();
  if (earlier && !memory.continue_from(earlier->memory(), begin)) begin = 0;
  if (begin != 0) executions.continue_from(earlier->executions(), trace, begin);
  trace.move_to(begin);
  index_writer out(std::make_unique<io::atomic_file>(to));
  analysis::run(
      trace,
      [&] {
        if (passed) passed();
      },
      memory, executions);
  memory.write(out);
  executions.write(out);
  earlier.reset();  // it may be the file that is replaced
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
  return {.instructions = trace.position(),
          .read = trace.position() - begin,
          .accesses = memory.result()};
}

}  // namespace detail

TRACECODEC_FUNC index_totals write_index(feed::column_source& trace, const std::string& path,
                                         const std::string& to, const std::function<void()>& passed,
                                         std::unique_ptr<trace_index> earlier) {
  if (earlier) {
    const std::string name = earlier->name();
    try {
      return detail::write_index_after(trace, path, to, passed, std::move(earlier));
    } catch (const trace_error& e) {
      if (e.code() != trace_errc::corrupt || e.file() != name) throw;
    }
  }
  return detail::write_index_after(trace, path, to, passed, nullptr);
}

TRACECODEC_FUNC trace_index::trace_index(const std::string& file, const std::string& path)
    : trace_index(file) {
  const trace_identity trace = identity_of(path);
  const front& about = file_.front();
  if (about.trace_size != trace.size || about.trace_parts != trace.parts)
    throw trace_error(trace_errc::refused, {.file = file},
                      "is the index of another trace, or the trace has changed; make the index "
                      "again (trace_index)");
}

}  // namespace tracecodec::query
