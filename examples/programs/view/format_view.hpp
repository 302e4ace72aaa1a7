// Format-specific functions for trace_view. All members are optional. Without these functions,
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
  // Function that returns rows for the columns `from`. trace::open_columns() made these columns
  // from the format's feed. `path` is the name of the trace. Throws usage_error if the trace does
  // not support the options.
  using row_maker = made_rows (*)(const tracecodec::feed::column_source& from,
                                  const std::string& path,
                                  const tracecodec::format::open_options& as,
                                  const shown_besides& besides);
  row_maker rows = nullptr;
  // True if the rows support the member of shown_besides with the same name.
  bool registers = false, effects = false, memory = false;
  // True if the rows show only the operands that the feed returns, which can be incomplete.
  // trace_view then prints how many instructions have dropped operands.
  bool counts_dropped_operands = false;
  // Prints rows of records or of a table, instead of instructions. If an error occurs, prints the rows read so far, then throws. Throws usage_error for options that the tables do not
  // support, and any trace_error of the reader.
  void (*show_table)(tracecodec::trace::source from, const options& o) = nullptr;
  // Prints statistics of the trace. If an error occurs, prints the counts so far, then throws.
  void (*show_statistics)(tracecodec::trace::reader& trace, const options& o) = nullptr;
  // Returns the sections of a .ksy file that describe how records form a trace. `narrow` is true
  // for traces of 32-bit programs. If the pointer is null, a trace consists of records with the
  // format's last layout. If the format has two layouts, a single record with the first layout
  // precedes them.
  kaitai_file (*in_kaitai)(bool narrow) = nullptr;
  // Returns additions to the .ksy fields of the layout `name`.
  std::span<const tracecodec::emit::kaitai_row> (*fields_in_kaitai)(std::string_view name) =
      nullptr;
};

// Returns the functions of all formats that have any.
std::span<const format_view* const> all_views() noexcept;
// Returns the functions of format `f`, or an object without functions if the format has none.
const format_view& view_of(const tracecodec::format::facts& f) noexcept;
// Throws usage_error if `besides` requests data that the format's rows cannot show.
void require_besides(const format_view& view, const shown_besides& besides);

}  // namespace view
