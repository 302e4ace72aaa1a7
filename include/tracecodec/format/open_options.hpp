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

// A file of a program's symbols: a list as nm prints it, or, for RapidBin traces, the WebAssembly module.
struct symbol_file {
  std::string path = {};
  std::string module = {};                 // the module that they belong to; empty: unknown
  std::optional<std::uint64_t> base = {};  // added to their addresses
};

// An option that the trace's format does not support is an error (refused).
struct open_options {
  // How to open the file; unused for a folder. Its limits also apply to the files beside the trace.
  io::open_options input = {};
  const facts* format = nullptr;  // null: recognise it by content
  // The layout of the records, whatever the file looks like. Fields named as ChampSim's make an instruction. `format`
  // may then be ChampSim's or CloudSuite's, whose records they become.
  std::shared_ptr<const file::record_table> record = {};
  // Read only the instructions of this thread. CloudSuite: only the records of this address space (asid), numbered from
  // 0.
  std::optional<std::uint32_t> thread = {};
  // The name by which `thread` was given, for formats whose threads have names: "T2". Empty: it was given by id.
  std::string thread_name = {};
  // x64dbg: correct the thread-id defect, skip damage, and report it to warn(). RapidBin, UMTracer: as
  // reader_options::lenient. tracepack: skip damaged frames, and report them to warn() unless tracepack::on_lost is set.
  bool repair = false;
  // Also provide the registers before each instruction, and what each instruction changes (x64dbg, as its feed_options).
  // Both take time.
  bool registers = false, effects = false;
  // The file of the program's map, for trace::places_of(); nullopt: the one beside the trace, if it exists; an empty
  // path: none. And the files of the program's symbols.
  std::optional<std::string> maps = {};
  std::vector<symbol_file> symbols = {};
  // The most memory, in bytes, for the contents of the files beside the trace.
  std::uint64_t memory = std::uint64_t{1} << 30;
  unsigned threads = 0;  // tracepack: as tracepack::reader_options
  // Called with a warning that makes the data doubtful: one line, with the file's name. Null: nothing is looked for.
  std::function<void(const std::string&)> warn = {};
  // Called with a note on what a reader left out or chose among several readings, and on what the trace lacks: one line,
  // with the file's name. The data are not doubtful.
  std::function<void(const std::string&)> note = {};
  // Options that only some formats have: champsim::branch_rules, champsim::register_numbers, rapidbin::metadata_file,
  // rapidbin::selection, rapidbin::strict_text, tracepack::on_lost, umtracer::shared_names. Programs also keep there what to
  // show, and in another object how to write: umtracer::table_name, rapidbin::dialect, rapidbin::as_renumbered,
  // rapidbin::as_well_formed, x64dbg::output_options.
  own_options own = {};
};

}  // namespace tracecodec::format
