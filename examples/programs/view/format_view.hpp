// The parts of trace_view that only one format has. Every part is optional: without it a trace of the format is shown by
// its instructions alone.
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
  // Returns the rows of columns that trace::open_columns() made from the format's feed. `path` names the trace. Throws
  // usage_error as the options require.
  using row_maker = made_rows (*)(const tracecodec::feed::column_source& from,
                                  const std::string& path,
                                  const tracecodec::format::open_options& as,
                                  const shown_besides& besides);
  row_maker rows = nullptr;
  // True if the rows contain what the member of shown_besides with the same name asks for.
  bool registers = false, effects = false, memory = false;
  // True if the rows show the operands of the feed, which may leave some out: trace_view prints a note with their number.
  bool counts_lost_operands = false;
  // Prints rows of the trace in a folder, which are not those of its instructions. What was read before an error is printed
  // before the error is thrown. Throws usage_error for options that the rows do not have; trace_error as the reader.
  void (*show_table)(const std::string& folder, const options& o) = nullptr;
  // Prints statistics of the trace. What was counted before an error is printed before the error is thrown.
  void (*show_statistics)(tracecodec::trace::reader& trace, const options& o) = nullptr;
  // Returns how a trace consists of records, of 32-bit programs if `narrow`. Null: a file is the first record once, if the
  // format has two, and then the last record until the file ends.
  kaitai_file (*in_kaitai)(bool narrow) = nullptr;
  // Returns additions to the fields of the layout `name`.
  std::span<const tracecodec::emit::kaitai_row> (*fields_in_kaitai)(std::string_view name) =
      nullptr;
};

// Returns the parts of all formats that have some.
std::span<const format_view* const> all_views() noexcept;
// Returns the parts of the format `f`; without parts if it has none.
const format_view& view_of(const tracecodec::format::facts& f) noexcept;
// Throws usage_error for members of `besides` that the rows of the format do not have.
void require_besides(const format_view& view, const shown_besides& besides);

}  // namespace view
