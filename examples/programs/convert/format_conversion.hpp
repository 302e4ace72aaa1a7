// Format-specific functions for trace_convert. All members are optional. By default, the
// instructions of a trace are converted to records of another format or to text rows.
#pragma once
#include <tracecodec/format/facts.hpp>
#include <tracecodec/format/own_options.hpp>
#include <tracecodec/tracepack/properties.hpp>

#include <span>
#include <string_view>
#include <vector>

#include "conversion.hpp"

namespace convert {

// Function that writes a trace in format `to`. The trace must not have been read yet. Throws
// trace_error like the reader and the writer, and usage_error for options that the output does not
// support.
using write_function = void(tracecodec::trace::source in, const options& o,
                            const tracecodec::format::facts& to, io::codec compression);

// Format to which a dedicated function converts traces.
struct conversion_target {
  const tracecodec::format::facts* to = nullptr;
  write_function* write = nullptr;
  // True if write() applies --shard itself, because the output does not consist of instructions.
  bool cuts_shards = false;
  // True if write() also writes a folder of files. An OUT that is a folder then has the format `to`.
  bool makes_folders = false;
  // Removes from `output` the options that write() supports although the format `to` lacks them.
  void (*take_options)(tracecodec::format::own_options& output) = nullptr;
};

struct format_conversion {
  const tracecodec::format::facts* format = nullptr;

  // Formats to which dedicated functions convert traces of this format.
  std::span<const conversion_target> targets = {};
  // Writes text rows. If null, instructions_to_rows() is used.
  void (*to_rows)(tracecodec::trace::source in, const options& o, io::codec compression) = nullptr;
  // True if to_rows() applies --shard itself, because its rows are not instructions.
  bool rows_cut_shards = false;
  // Removes from `output` the options that to_rows() supports.
  void (*take_row_options)(tracecodec::format::own_options& output) = nullptr;
  // True if to_rows() supports --disassembly.
  bool disassembles = false;
  // Returns true if a trace contains the code of its instructions. Null for formats in which code
  // is not optional.
  bool (*has_code)(const tracecodec::trace::source& in) = nullptr;
  // Returns the type of processor that executes the code in a trace. If null, the code is x86-64.
  tracecodec::tracepack::processor (*processor)(tracecodec::trace::source& in) = nullptr;

  // Converts the instructions of a trace of any other format family to this format.
  write_function* from_any = nullptr;
  // Converts records that a record table describes to this format.
  write_function* from_described = nullptr;
  // Returns true if the output options imply this format, regardless of OUT's name.
  bool (*is_requested)(const tracecodec::format::own_options& output) = nullptr;
  // Noun for the output in --help; if empty, --help uses "a TITLE trace".
  std::string_view output = {};
  std::string_view help = {};
};

// Returns the conversion functions of format `f`, or an object without functions if the format has
// none.
const format_conversion& conversion_of(const tracecodec::format::facts& f) noexcept;
// Returns the processor whose code is in a trace; x86-64 if that is unknown.
tracecodec::tracepack::processor processor_of(tracecodec::trace::source& in);
// Returns the conversion functions of all formats that have any.
std::span<const format_conversion* const> all_conversions() noexcept;

// Returns the formats that can be written. Formats to which any trace can be converted come first.
std::vector<const tracecodec::format::facts*> written_formats();

}  // namespace convert
