// What every conversion of trace_convert shares: its options, and when OUT appears.
#pragma once
#include <tracecodec/file/table_reader.hpp>
#include <tracecodec/io/compression/codec.hpp>
#include <tracecodec/io/open.hpp>
#include <tracecodec/io/options.hpp>
#include <tracecodec/trace/source.hpp>
#include <tracecodec/tracepack/about.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

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
  std::optional<row_form> rows = {};  // instead: rows of text
  std::optional<std::string> table = {};
  bool disassembly = false;
  std::optional<std::string> mode = {};
  std::optional<std::string> dialect = {};
  std::uint64_t snapshots = 512;
  std::optional<io::codec> compression = {};
  std::optional<std::uint64_t> block_size = {};  // bytes
  io::output_options packing = {};               // which it is in
  bool pack = false;                             // as tracepack, whatever OUT's name
  bool content = false;                          // instead: what is packed
  examples::packing packed_as = {};              // of tracepack
  examples::pipeline part = {};
  bool guard_formulas = false;  // of CSV
  bool keep_whole = false, renumber = false, well_formed = false, verbose = false;
};

void say(const std::string& message);

inline std::string output_name(const options& o) { return o.out == "-" ? "<stdout>" : o.out; }

// What ends an output of so many records: whether it is to appear, as all went well, or what is whole was
// asked for. Throws if nothing was written.
bool appears(std::uint64_t written, const std::exception_ptr& failure, const options& o);
// Behind that: tells what `failure` is, or throws it.
void tell(std::uint64_t written, const std::exception_ptr& failure, const options& o);

template <class Writer> void finish(Writer& out, std::uint64_t written,
                                    const std::exception_ptr& failure, const options& o) {
  if (appears(written, failure, o)) out.finish();
  tell(written, failure, o);
}

// The conversions, each in a file of its name. Throw trace_error as the reader and the writer, and
// usage_error for options that they have no use for.
void copy_umtracer(const std::string& folder, options o);
void copy_records(tracecodec::trace::source in, const options& o, io::codec compression);
void described_to_records(tracecodec::trace::source in, const options& o, const format& to,
                          io::codec compression);
void described_to_rows(tracecodec::file::table_reader from, const options& o,
                       io::codec compression);
// `before`: what the trace says of itself, if it was packed already.
void pack_described(tracecodec::file::table_reader from,
                    const std::optional<tracecodec::tracepack::about>& before, const options& o);
void to_champsim(tracecodec::trace::source in, const options& o, const format& to,
                 io::codec compression);
void to_events(io::input in, const options& o, const format& from, const format& to,
               io::codec compression);
void to_rows(tracecodec::trace::source in, const options& o, io::codec compression);
void to_umtracer(io::input in, const options& o);
void to_x64dbg(io::input in, const options& o, io::codec compression);

void unpack(const options& o, io::codec compression);

// Throws usage_error for options that rows have no use for. `code`: its instructions' is known.
void require_row_options(const options& o, const format& from, bool code = false);
// Throws usage_error for options that a folder has no use for.
void require_folder_options(const options& o);

}  // namespace convert
