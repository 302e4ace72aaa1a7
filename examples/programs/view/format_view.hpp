// The parts of trace_view that are specific to one format. All parts are optional. Without them,
// trace_view shows only the instructions of a trace.
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
  // Returns rows for the columns that trace::open_columns() made from the format's feed. `path` is
  // the name of the trace. Throws usage_error if the trace does not support the options.
  using row_maker = made_rows (*)(const tracecodec::feed::column_source& from,
                                  const std::string& path,
                                  const tracecodec::format::open_options& as,
                                  const shown_besides& besides);
  row_maker rows = nullptr;
  // True if the rows can show what the shown_besides member with the same name selects.
  bool registers = false, effects = false, memory = false;
  // True if the rows show the feed's operands, some of which may be missing. trace_view then prints
  // the number of instructions with dropped operands.
  bool counts_dropped_operands = false;
  // Prints table rows, instead of instructions, for the trace in `folder`. If an error occurs,
  // prints the rows read before the error, then throws. Throws usage_error for options that the
  // tables do not support, and any trace_error of the reader.
  void (*show_table)(const std::string& folder, const options& o) = nullptr;
  // Prints statistics of the trace. If an error occurs, prints the counts reached before the error,
  // then throws.
  void (*show_statistics)(tracecodec::trace::reader& trace, const options& o) = nullptr;
  // Returns the parts of a .ksy file that describe how records form a trace. `narrow` is true for
  // traces of 32-bit programs. If null, a file consists of records of the last layout up to the
  // end. If the format has two layouts, one record of the first layout precedes them.
  kaitai_file (*in_kaitai)(bool narrow) = nullptr;
  // Returns additions to the .ksy fields of the layout with name `name`.
  std::span<const tracecodec::emit::kaitai_row> (*fields_in_kaitai)(std::string_view name) =
      nullptr;
};

// Returns the parts of all formats that have parts.
std::span<const format_view* const> all_views() noexcept;
// Returns the parts of format `f`. If the format has no parts, returns a format_view without parts.
const format_view& view_of(const tracecodec::format::facts& f) noexcept;
// Throws usage_error for members of `besides` that the format's rows cannot show.
void require_besides(const format_view& view, const shown_besides& besides);

}  // namespace view
