// Format-specific parts of a conversion. All parts are optional. By default, a trace of the format
// is converted through its instructions to records of another format or to rows.
#pragma once
#include <tracecodec/format/facts.hpp>
#include <tracecodec/format/own_options.hpp>
#include <tracecodec/tracepack/layout.hpp>

#include <span>
#include <string_view>
#include <vector>

#include "conversion.hpp"

namespace convert {

// Writes a trace in format `to`. The trace must be at its first byte. Throws trace_error like
// the reader and the writer, and usage_error for options that the output does not support.
using write_function = void(tracecodec::trace::source in, const options& o,
                            const tracecodec::format::facts& to, io::codec compression);

// Format to which a trace can be converted.
struct conversion_target {
  const tracecodec::format::facts* to = nullptr;
  write_function* write = nullptr;
  // True if write() applies --shard itself because its units are not instructions.
  bool cuts_shards = false;
};

struct format_conversion {
  const tracecodec::format::facts* format = nullptr;

  // Parts for conversions from this format.
  std::span<const conversion_target> targets = {};
  // Writes text rows. If null, instructions_to_rows() is used.
  void (*to_rows)(tracecodec::trace::source in, const options& o, io::codec compression) = nullptr;
  // True if to_rows() applies --shard itself because its rows are not instructions.
  bool rows_cut_shards = false;
  // Removes from `output` the options that to_rows() supports.
  void (*take_row_options)(tracecodec::format::own_options& output) = nullptr;
  // Returns true if a trace has its instructions' code. Set only for formats in which code is
  // optional.
  bool (*has_code)(const tracecodec::trace::source& in) = nullptr;
  // Returns the processor type of the code in a trace. If null, the code is x86-64.
  tracecodec::tracepack::processor (*processor)(tracecodec::trace::source& in) = nullptr;

  // Parts for conversions to this format.
  // Converts a trace of any other format family through its instructions.
  write_function* from_any = nullptr;
  // Converts records with a record table.
  write_function* from_described = nullptr;
  // Returns true if the output options imply this format, whatever OUT's name is.
  bool (*is_asked_for)(const tracecodec::format::own_options& output) = nullptr;
  // Noun for --help; if empty, the noun is "a TITLE trace".
  std::string_view output = {};
  std::string_view help = {};
};

// Returns the parts for format `f`, or an empty object if the format has no parts.
const format_conversion& conversion_of(const tracecodec::format::facts& f) noexcept;
// Returns the parts of all formats that have parts.
std::span<const format_conversion* const> all_conversions() noexcept;

// Returns the formats that can be written, starting with those that accept any trace.
std::vector<const tracecodec::format::facts*> written_formats();

}  // namespace convert
