// What every conversion of trace_convert shares: its options, and when OUT appears.
#pragma once
#include <tracecodec/io/codec.hpp>
#include <tracecodec/io/options.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include "../common/interrupt.hpp"
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
  std::optional<format> to = {};
  std::optional<row_form> rows = {};  // instead: rows of text
  std::optional<std::string> table = {};
  bool disassembly = false;
  std::optional<std::string> mode = {};
  std::optional<std::string> dialect = {};
  std::uint64_t snapshots = 512;
  std::optional<io::codec> compression = {};
  io::output_options packing = {};
  examples::pipeline part = {};
  bool guard_formulas = false;  // of CSV
  bool keep_whole = false, renumber = false, verbose = false;
};

inline void say(const std::string& message) { examples::note("trace_convert", message); }

inline std::string output_name(const options& o) { return o.out == "-" ? "<stdout>" : o.out; }

// Ends an output of so many records: it appears if all went well, or if what is whole was asked
// for.
template <class Writer> void finish(Writer& out, std::uint64_t written,
                                    const std::exception_ptr& failure, const options& o) {
  if (!failure && written == 0)
    throw tracecodec::trace_error(tracecodec::trace_errc::refused, {o.out},
                                  "not written: no record is left of " + o.in);
  // Standard output is no file that could be taken for a whole one.
  if (!failure || ((o.keep_whole || o.as.repair || o.out == "-") && written != 0)) out.finish();
  if (!failure) return;
  if (!o.as.repair || written == 0) std::rethrow_exception(failure);
  try {
    std::rethrow_exception(failure);
  } catch (const tracecodec::trace_error& e) {
    say(std::string("cut: ") + e.what() + "; " + some(written, "record") +
        (written == 1 ? " before it is written" : " before it are written"));
  }
}

}  // namespace convert
