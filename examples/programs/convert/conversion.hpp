// The options of trace_convert, and the end of an output, for every conversion.
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
  const format* to = nullptr;         // null: by OUT's name
  std::optional<row_form> rows = {};  // write rows of text
  tracecodec::format::own_options output =
      {};  // the options for an output that only some formats have
  bool disassembly = false;
  std::optional<io::codec> compression = {};
  std::optional<std::uint64_t> block_size = {};  // bytes
  io::output_options packing = {};               // contains block_size
  bool pack = false;                             // write a tracepack, whatever OUT's name is
  bool content = false;                          // write the content of a tracepack
  examples::packing packed_as = {};              // for a tracepack
  examples::pipeline part = {};
  bool guard_formulas = false;  // for CSV
  bool keep_whole = false, verbose = false;
};

void say(const std::string& message);

inline std::string output_name(const options& o) { return o.out == "-" ? "<stdout>" : o.out; }

// Returns whether an output of `written` records is to appear: everything was read, or the whole records are wanted
// although `failure` ended the trace early. Throws trace_error if nothing was written.
bool appears(std::uint64_t written, const std::exception_ptr& failure, const options& o);
// Throws `failure` after the output is finished, or prints it as a note. Null: there is none.
void report_failure(std::uint64_t written, const std::exception_ptr& failure, const options& o);

template <class Writer> void finish(Writer& out, std::uint64_t written,
                                    const std::exception_ptr& failure, const options& o) {
  if (appears(written, failure, o)) out.finish();
  report_failure(written, failure, o);
}

// The conversions that do not depend on a format, each in the file of its name. They throw trace_error as the reader
// and the writer; usage_error for options that do not fit.
void described_to_rows(tracecodec::file::table_reader from, const options& o,
                       io::codec compression);
void instructions_to_rows(tracecodec::trace::source in, const options& o, io::codec compression);
// `before` is what the trace states about itself, if it is a tracepack already.
void pack_described(tracecodec::file::table_reader from,
                    const std::optional<tracecodec::tracepack::about>& before, const options& o);
void to_rows(tracecodec::trace::source in, const options& o, io::codec compression);
void unpack(const options& o, io::codec compression);

// Returns the first option of one use that is set in `in`, of those that only some formats have: "--table". Empty if
// there is none.
std::string given_option(const tracecodec::format::own_options& in, examples::option_use use);

// Throws usage_error for options that rows do not have. `has_code` is true if the instructions' code is known, although
// not every trace of the format contains it.
void require_row_options(const options& o, const format& from, bool has_code = false);
// Throws usage_error for options that a trace of format `to`, which is a folder, does not have.
void require_folder_options(const options& o, const format& to);
// Joins words with commas, and with `before_last`, " or ", before the last one.
std::string joined(const std::vector<std::string>& words, std::string_view before_last);
// Returns the titles of the formats whose traces contain code: "A and B" if `before_last` is " and ".
std::string formats_with_code(std::string_view before_last);

}  // namespace convert
