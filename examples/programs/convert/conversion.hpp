// Options of trace_convert, and functions that all conversions share.
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
  // Format of OUT, or null if OUT's name determines the format.
  const format* to = nullptr;
  // Form of the rows if OUT consists of text rows, otherwise nullopt.
  std::optional<row_form> rows = {};
  // Format-specific options for writing OUT.
  tracecodec::format::own_options output = {};
  bool disassembly = false;
  std::optional<io::codec> compression = {};
  // Size of a block of compressed data in bytes.
  std::optional<std::uint64_t> block_size = {};
  io::output_options packing = {};  // includes block_size
  // True if OUT is a tracepack, regardless of OUT's name.
  bool pack = false;
  // True if OUT is the unpacked content of a tracepack.
  bool content = false;
  examples::packing packed_as = {};  // settings for writing a tracepack
  examples::pipeline part = {};
  // True if CSV text that a spreadsheet would read as a formula gets a leading apostrophe.
  bool guard_formulas = false;
  bool keep_whole = false, verbose = false;
};

void say(const std::string& message);

inline std::string output_name(const options& o) { return o.out == "-" ? "<stdout>" : o.out; }

// Returns true if the output should be kept. This is the case if the trace was read completely, or
// if the options keep the intact records despite `failure`. Throws trace_error(refused) if no
// record was written although there was no failure.
bool appears(std::uint64_t written, const std::exception_ptr& failure, const options& o);
// Rethrows `failure`, or prints it as a note if the trace is being repaired. Call this function
// after the output is finished. Does nothing if `failure` is null.
void report_failure(std::uint64_t written, const std::exception_ptr& failure, const options& o);

template <class Writer> void finish(Writer& out, std::uint64_t written,
                                    const std::exception_ptr& failure, const options& o) {
  if (appears(written, failure, o)) out.finish();
  report_failure(written, failure, o);
}

// Conversions that do not depend on a format. Each conversion is defined in the file of the same
// name. A conversion throws trace_error like the reader and the writer, and usage_error for
// unsuitable options.
void described_to_rows(tracecodec::file::table_reader from, const options& o,
                       io::codec compression);
void instructions_to_rows(tracecodec::trace::source in, const options& o, io::codec compression);
// Packs records that a record table describes, together with the table. If the input is a
// tracepack, `before` is the input's metadata, otherwise nullopt.
void pack_described(tracecodec::file::table_reader from,
                    const std::optional<tracecodec::tracepack::about>& before, const options& o);
void to_rows(tracecodec::trace::source in, const options& o, io::codec compression);
void unpack(const options& o, io::codec compression);

// Returns the name of the first format-specific option with purpose `use` that `in` sets, such as
// "--table". Returns an empty string if `in` does not set such an option.
std::string given_option(const tracecodec::format::own_options& in, examples::option_use use);

// Throws usage_error for options that do not apply to rows. `disassembles` is true if rows of the trace
// can contain the disassembly.
void require_row_options(const options& o, const format& from, bool disassembles = false);
// Throws usage_error for options that do not apply if OUT is a folder in format `to`.
void require_folder_options(const options& o, const format& to);
// Joins words with commas, but writes `before_last`, such as " or ", before the last word.
std::string joined(const std::vector<std::string>& words, std::string_view before_last);
// Returns the titles of the formats whose rows can contain the disassembly, such as "A and B" if
// `before_last` is " and ".
std::string disassembled_formats(std::string_view before_last);

}  // namespace convert
