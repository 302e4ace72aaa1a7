// Options of trace_convert and completion of an output, shared by all conversions.
#pragma once
#include <tracecodec/file/table_reader.hpp>
#include <tracecodec/format/own_options.hpp>
#include <tracecodec/io/compression/codec.hpp>
#include <tracecodec/io/open.hpp>
#include <tracecodec/io/options.hpp>
#include <tracecodec/trace/source.hpp>
#include <tracecodec/tracepack/about.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../common/interrupt.hpp"
#include "../common/pack.hpp"
#include "../common/pipeline.hpp"
#include "../common/text.hpp"
#include "output_format.hpp"

namespace convert {

namespace io = tracecodec::io;
using examples::some;
using examples::stop_if_interrupted;
using examples::usage_error;

struct options {
  std::string in = {}, out = {};
  examples::reading as = {};
  const format* to = nullptr;         // null: according to OUT's name
  std::optional<row_form> rows = {};  // form of the rows, if OUT consists of text rows
  tracecodec::format::own_options output =
      {};  // options for writing OUT that are specific to a format
  bool disassembly = false;
  std::optional<io::codec> compression = {};
  std::optional<std::uint64_t> block_size = {};  // bytes
  io::output_options packing = {};               // includes block_size
  bool pack = false;                             // true: write a tracepack, whatever OUT's name
  bool content = false;                          // true: write the content of a tracepack
  examples::packing packed_as = {};              // settings for a tracepack
  examples::pipeline part = {};
  bool guard_formulas = false;  // for CSV only
  bool keep_whole = false, verbose = false;
};

void say(const std::string& message);

inline std::string output_name(const options& o) { return o.out == "-" ? "<stdout>" : o.out; }

// Returns true if the output should be kept: the trace was read completely, or the options
// keep the intact records despite `failure`. Throws trace_error(refused) if there was neither
// a failure nor a record.
bool appears(std::uint64_t written, const std::exception_ptr& failure, const options& o);
// Rethrows `failure`, after the output is finished, or prints it as a note if the trace is
// being repaired. Does nothing if `failure` is null.
void report_failure(std::uint64_t written, const std::exception_ptr& failure, const options& o);

template <class Writer> void finish(Writer& out, std::uint64_t written,
                                    const std::exception_ptr& failure, const options& o) {
  if (appears(written, failure, o)) out.finish();
  report_failure(written, failure, o);
}

// Format-independent conversions, each in the file of the same name. They throw trace_error
// like the reader and the writer, and usage_error for unsuitable options.
void described_to_rows(tracecodec::file::table_reader from, const options& o,
                       io::codec compression);
void instructions_to_rows(tracecodec::trace::source in, const options& o, io::codec compression);
// Packs records with a record table. `before` is the metadata of the input if it is a
// tracepack.
void pack_described(tracecodec::file::table_reader from,
                    const std::optional<tracecodec::tracepack::about>& before, const options& o);
void to_rows(tracecodec::trace::source in, const options& o, io::codec compression);
void unpack(const options& o, io::codec compression);

// Returns the first format-specific option with this use that is set in `in`, such as
// "--table". Returns an empty string if none is set.
std::string given_option(const tracecodec::format::own_options& in, examples::option_use use);

// Throws usage_error for options that do not apply to rows. `has_code` is true if this trace
// has its instructions' code although its format does not require it.
void require_row_options(const options& o, const format& from, bool has_code = false);
// Throws usage_error for options that do not apply to a trace of format `to`, which is a
// folder.
void require_folder_options(const options& o, const format& to);
// Joins words with commas; `before_last`, such as " or ", precedes the last one.
std::string joined(const std::vector<std::string>& words, std::string_view before_last);
// Returns the titles of the formats that contain code, joined like "A and B" if `before_last`
// is " and ".
std::string formats_with_code(std::string_view before_last);

}  // namespace convert
