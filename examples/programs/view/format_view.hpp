// The parts of trace_view that are specific to one format. Every part is optional: without
// parts, trace_view shows only the instructions of a trace.
#pragma once
#include <tracecodec/emit/kaitai.hpp>
#include <tracecodec/format/facts.hpp>
#include <tracecodec/trace/reader.hpp>

#include <span>
#include <string>
#include <string_view>

#include "kaitai_file.hpp"
#include "options.hpp"
#include "shown.hpp"

namespace view {

struct format_view {
  const tracecodec::format::facts* format = nullptr;
  // Returns rows for the columns that trace::open_columns() made from the format's feed.
  // `path` names the trace. Throws usage_error if the trace cannot satisfy the options.
  using row_maker = made_rows (*)(const tracecodec::feed::column_source& from,
                                  const std::string& path,
                                  const tracecodec::format::open_options& as,
                                  const shown_besides& besides);
  row_maker rows = nullptr;
  // True if the rows can show what the member of shown_besides with the same name selects.
  bool registers = false, effects = false, memory = false;
  // True if the rows show the feed's operands, which may be incomplete. trace_view then prints
  // a note with the number of instructions that lost operands.
  bool counts_dropped_operands = false;
  // Prints table rows, instead of instructions, for the trace in `folder`. Prints the rows
  // read before an error, then throws the error. Throws usage_error for options that the
  // tables do not support, and any trace_error of the reader.
  void (*show_table)(const std::string& folder, const options& o) = nullptr;
  // Prints statistics of the trace. Prints the counts reached before an error, then throws the
  // error.
  void (*show_statistics)(tracecodec::trace::reader& trace, const options& o) = nullptr;
  // Returns the parts of a .ksy file that describe how records form a trace. `narrow` is true
  // for traces of 32-bit programs. If null, a file is one record of the first layout (if the
  // format has two), then records of the last layout up to the end.
  kaitai_file (*in_kaitai)(bool narrow) = nullptr;
  // Returns additions to the .ksy fields of the layout `name`.
  std::span<const tracecodec::emit::kaitai_row> (*fields_in_kaitai)(std::string_view name) =
      nullptr;
};

// Returns the parts of every format that has parts of its own.
std::span<const format_view* const> all_views() noexcept;
// Returns the parts of the format `f`. Returns a format_view without parts if it has none.
const format_view& view_of(const tracecodec::format::facts& f) noexcept;
// Throws usage_error for members of `besides` that the format's rows cannot show.
void require_besides(const format_view& view, const shown_besides& besides);

}  // namespace view
