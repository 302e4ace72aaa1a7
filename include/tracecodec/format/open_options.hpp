// How a trace is read, whatever its format.
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

// A list of a program's symbols, as nm prints it; of RapidBin traces the WebAssembly module that ran.
struct symbol_file {
  std::string path = {};
  std::string module = {};                 // whose they are, by its name; empty: it is not said
  std::optional<std::uint64_t> base = {};  // to be added to their addresses
};

// What the trace's format does not have is refused.
struct open_options {
  // Of all but folders: how the file is opened; its limits are for the files beside it, too.
  io::open_options input = {};
  const facts* format = nullptr;  // null: recognised by content
  // The trace has such records, whatever it looks like; those of their fields that have the names of
  // ChampSim's are an instruction's. `format` may be ChampSim's or CloudSuite's: whose records they become.
  std::shared_ptr<const file::record_table> record = {};
  // Only the instructions of this thread. CloudSuite: only the records of this address space (asid), which
  // are then numbered among themselves.
  std::optional<std::uint32_t> thread = {};
  // How `thread` was written, for formats whose threads have names: T2. Empty: it is the id.
  std::string thread_name = {};
  // x64dbg: the thread-id defect is mended on the way, damage is passed over, and warn() tells. RapidBin, UMTracer: as
  // reader_options::lenient. tracepack: as if tracepack::on_lost were set, and warn() tells.
  bool repair = false;
  // What costs more to know, of formats whose traces tell it (x64dbg, as its feed_options): the registers before each
  // instruction, and what each one changes.
  bool registers = false, effects = false;
  // The file of the program's map, for trace::places_of(). Nothing: the one beside the trace, if it exists.
  // Empty: none. And the files of its symbols.
  std::optional<std::string> maps = {};
  std::vector<symbol_file> symbols = {};
  // Bytes that what is read of the files beside the trace may take.
  std::uint64_t memory = std::uint64_t{1} << 30;
  unsigned threads = 0;  // tracepack: as tracepack::reader_options
  // Called with what is no error, but makes what is read doubtful: one line, with the file's name.
  // Nothing: it is not looked for.
  std::function<void(const std::string&)> warn = {};
  // Called with what a reader left out or read in one of several ways, and with what the trace lacks: one line, with the
  // file's name. What is read is not doubtful.
  std::function<void(const std::string&)> note = {};
  // What only some formats have: champsim::branch_rules, champsim::register_numbers, rapidbin::metadata_file,
  // rapidbin::selection, rapidbin::strict_text, tracepack::on_lost, umtracer::shared_names.
  own_options own = {};
};

}  // namespace tracecodec::format
