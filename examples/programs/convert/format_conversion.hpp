// The parts of a conversion that only one format has. Every part is optional: without parts, a trace of the format
// becomes records of another format, or rows of its instructions.
#pragma once
#include <tracecodec/format/facts.hpp>
#include <tracecodec/format/own_options.hpp>
#include <tracecodec/tracepack/layout.hpp>

#include <span>
#include <string_view>
#include <vector>

#include "conversion.hpp"

namespace convert {

// Writes a trace, which is at its first byte, as one of format `to`. Throws trace_error as the reader and the writer;
// usage_error for options that the output does not have.
using write_function = void(tracecodec::trace::source in, const options& o,
                            const tracecodec::format::facts& to, io::codec compression);

// A format that a trace can become.
struct conversion_target {
  const tracecodec::format::facts* to = nullptr;
  write_function* write = nullptr;
  bool cuts_shards = false;  // write() applies --shard itself, as it does not count instructions
};

struct format_conversion {
  const tracecodec::format::facts* format = nullptr;

  // Reading a trace of the format.
  std::span<const conversion_target> targets = {};
  // Writes rows of text. Null: the rows of instructions_to_rows().
  void (*to_rows)(tracecodec::trace::source in, const options& o, io::codec compression) = nullptr;
  bool rows_cut_shards =
      false;  // to_rows() applies --shard itself, as its rows are not instructions
  // Removes the options for an output that to_rows() uses.
  void (*take_row_options)(tracecodec::format::own_options& output) = nullptr;
  // Returns whether a trace contains the code of its instructions, if its format need not.
  bool (*has_code)(const tracecodec::trace::source& in) = nullptr;
  // Returns the processor whose code a trace contains. Null: x86-64.
  tracecodec::tracepack::processor (*processor)(tracecodec::trace::source& in) = nullptr;

  // Writing a trace of the format.
  write_function* from_any = nullptr;        // of a trace of any other family, by its instructions
  write_function* from_described = nullptr;  // of records that a table describes
  // Returns whether the options for the output are for this format, whatever OUT's name is.
  bool (*is_asked_for)(const tracecodec::format::own_options& output) = nullptr;
  std::string_view output = {};  // a noun for --help; empty: "a TITLE trace"
  std::string_view help = {};    // a sentence for --help
};

// Returns the parts of the format `f`; an object without parts if it has none.
const format_conversion& conversion_of(const tracecodec::format::facts& f) noexcept;
// Returns the parts of all formats that have some.
std::span<const format_conversion* const> all_conversions() noexcept;

// Returns the formats that conversions write: first those that any trace can become.
std::vector<const tracecodec::format::facts*> written_formats();

}  // namespace convert
