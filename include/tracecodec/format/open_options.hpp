// Options for opening a trace of any format.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../io/open.hpp"
#include "facts.hpp"
#include "own_options.hpp"

namespace tracecodec::file {
class record_table;
}

namespace tracecodec::format {

// File with the symbols of a program: a list in the format of nm or, for RapidBin traces, the
// WebAssembly module.
struct symbol_file {
  std::string path = {};
  std::string module = {};                 // module of the symbols, or empty if unknown
  std::optional<std::uint64_t> base = {};  // number to add to the addresses of the symbols
};

// Options for opening a trace. Opening throws trace_error(refused) if the trace's format does
// not support an option that is set.
struct open_options {
  // Options for opening the trace's file, unused if the trace is a folder. The limits also apply
  // to the files beside the trace.
  io::open_options input = {};
  // Format of the trace. If null, the format is recognised by the content.
  const facts* format = nullptr;
  // Layout of the records. If set, the format is not recognised by the content. Fields with
  // ChampSim's names form an instruction. If `format` is also set, it must be ChampSim's or
  // CloudSuite's, and the records are converted to records of that format.
  std::shared_ptr<const file::record_table> record = {};
  // Thread whose instructions are read. For CloudSuite, the address space (asid) whose records are
  // read, numbered from 0. Nullopt to read everything.
  std::optional<std::uint32_t> thread = {};
  // Name by which the user specified `thread`, such as "T2", for formats whose threads have
  // names. Empty if the user specified an id.
  std::string thread_name = {};
  // True to read damaged traces.
  // - x64dbg: the reader corrects the thread-id defect, skips damage, and reports the damage to
  //   warn().
  // - RapidBin, UMTracer: see reader_options::lenient.
  // - tracepack: the reader skips damaged frames, and reports them to warn() unless
  //   tracepack::on_lost is set.
  bool repair = false;
  // True to also provide the registers before each instruction, or the effects of each instruction.
  // Only for x64dbg traces (see x64dbg's feed_options). Both options make reading slower.
  bool registers = false, effects = false;
  // Path of the program's map file, for trace::places_of(). Nullopt to use the map file beside
  // the trace, if it exists. Empty to use no map.
  std::optional<std::string> maps = {};
  // Files with the program's symbols.
  std::vector<symbol_file> symbols = {};
  // Maximum memory in bytes for the contents of the files beside the trace.
  std::uint64_t memory = std::uint64_t{1} << 30;
  unsigned threads = 0;  // number of threads for tracepack: see tracepack::reader_options
  // Callback for warnings that the data may be wrong. Each warning is one line, with the file's
  // name. If null, the data is not checked for such problems.
  std::function<void(const std::string&)> warn = {};
  // Callback for notes about data that a reader left out, an interpretation that a reader chose, or
  // data that the trace lacks. Each note is one line, with the file's name. Unlike a warning, a
  // note does not mean that the data may be wrong.
  std::function<void(const std::string&)> note = {};
  // Options that only some formats have: champsim::branch_rules, champsim::register_numbers,
  // rapidbin::metadata_file, rapidbin::selection, rapidbin::strict_text, tracepack::on_lost and
  // umtracer::shared_names. Programs also store umtracer::table_name here, to select the rows to
  // show. Options for writing are stored in another object: rapidbin::dialect,
  // rapidbin::as_renumbered, rapidbin::as_well_formed and x64dbg::output_options.
  own_options own = {};
};

// Returns true if an option decides which instructions the trace has, or how its records are read.
inline bool changes_reading(const open_options& how) {
  return !how.own.empty() || how.thread || !how.thread_name.empty() || how.format != nullptr ||
         how.record != nullptr || how.repair;
}

}  // namespace tracecodec::format
