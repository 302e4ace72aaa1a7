#include "index.hpp"

#include <tracecodec/io/os/os.hpp>

#include "program.hpp"

namespace examples {

namespace io = tracecodec::io;
namespace query = tracecodec::query;

void add_index(command_line& line, index_options& to) {
  line.begin_group("Index");
  add_value(
      line, "--index", "FILE",
      [&to](const std::string& s) {
        to.file = s;
        return !s.empty();
      },
      "Use this index (default: TRACE.tcidx, if it exists)", "a file");
  line.add_flag("--no-index", to.none, "Read the trace, even if it has an index")
      .excludes("--index");
}

bool has_index(const std::string& trace, const index_options& o) {
  if (o.none || trace == "-") return false;
  return o.file || io::os::facts_if_any(query::index_name(trace)).what != io::os::kind::missing;
}

std::unique_ptr<query::trace_index> open_index(const std::string& trace, const index_options& o,
                                               const reading& as) {
  if (!has_index(trace, o)) return nullptr;
  if (changes_reading(as))
    throw usage_error(
        "the index is of the whole trace, as it is read without options: use --no-index with them");
  return std::make_unique<query::trace_index>(o.file.value_or(query::index_name(trace)), trace);
}

}  // namespace examples
