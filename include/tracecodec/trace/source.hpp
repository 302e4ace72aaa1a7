// A trace of any format that is open: its format is recognised by content. open.hpp makes its feed,
// reader.hpp its columns.
//
// x64dbg's traces are read if TRACECODEC_WITH_SIMDJSON and TRACECODEC_WITH_ZYDIS are defined, as meson,
// CMake and pkg-config do where the two libraries are; the metadata of RapidBin with the first,
// UMTracer's with the second.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../champsim/branch_rules.hpp"
#include "../champsim/register_numbers.hpp"
#include "../config.hpp"
#include "../io/open.hpp"
#include "../rapidbin/metadata.hpp"
#include "../rapidbin/reader/selection.hpp"
#include "../tracepack/lost_records.hpp"

#if defined(TRACECODEC_WITH_ZYDIS)
#define TRACECODEC_OPENS_UMTRACER 1
#else
#define TRACECODEC_OPENS_UMTRACER 0
#endif
#if defined(TRACECODEC_WITH_SIMDJSON) && defined(TRACECODEC_WITH_ZYDIS)
#define TRACECODEC_OPENS_X64DBG 1
#else
#define TRACECODEC_OPENS_X64DBG 0
#endif

namespace tracecodec::file {
class record_table;
}
namespace tracecodec::tracepack {
struct about;
class reader;
}  // namespace tracecodec::tracepack
namespace tracecodec::umtracer {
struct names;
}

namespace tracecodec::trace {

// std is the text of RapidBin.
enum class format : std::uint8_t { champsim, cloudsuite, x64dbg, rapidbin, std, umtracer };

inline constexpr std::array<std::string_view, 6> format_names{"champsim", "cloudsuite", "x64dbg",
                                                              "rapidbin", "std",        "umtracer"};
constexpr std::string_view name(format f) noexcept {
  return format_names[static_cast<std::size_t>(f)];
}

// The format called `name`; nullopt if there is none of that name.
constexpr std::optional<format> format_of_name(std::string_view name) noexcept {
  for (std::size_t i = 0; i < format_names.size(); ++i)
    if (format_names[i] == name) return static_cast<format>(i);
  return std::nullopt;
}

// The format of an input at its first byte, by its first records; nothing is consumed. Throws
// trace_error: not_a_trace if it is empty or like none; what read() throws if nothing can be read, or
// what can be is like none.
TRACECODEC_FUNC format recognise(io::input& in);

// A list of a program's symbols, as nm prints it; of RapidBin traces the WebAssembly module that ran.
struct symbol_file {
  std::string path = {};
  std::string module = {};                 // whose they are, by its name; empty: it is not said
  std::optional<std::uint64_t> base = {};  // to be added to their addresses
};

// How a trace is read. What its format does not have is refused.
struct visit_options {
  // Of all but UMTracer: how the file is opened; its limits are for the metadata, too.
  io::open_options input = {};
  std::optional<trace::format> format = {};  // nothing: recognised by content
  // The trace has such records, whatever it looks like; those of their fields that have the names of
  // ChampSim's are an instruction's. `format` may be champsim or cloudsuite: whose records they become.
  std::shared_ptr<const file::record_table> record = {};
  // ChampSim, CloudSuite: the trace has these numbers for registers with a meaning. Its records are read with
  // ChampSim's; classes and code that a tracepack stores beside its records are not used. Refused
  // for described records with registers of more than a byte.
  std::optional<champsim::register_numbers> map_registers = {};
  // x64dbg, RapidBin, UMTracer: only its instructions. CloudSuite: only the records of this address space (asid), which
  // are then numbered among themselves.
  std::optional<std::uint32_t> thread = {};
  // RapidBin: how `thread` was written, where that may be a name: T2. Empty: it is the id.
  std::string thread_name = {};
  rapidbin::selection wanted = {};  // RapidBin: only these events
  // ChampSim, CloudSuite: whose classes branches get. Nothing: today's.
  std::optional<champsim::branch_rules> branch_rules = {};
  // x64dbg: the thread-id defect is mended on the way, damage is passed over, and warn() tells. RapidBin, UMTracer: as
  // reader_options::lenient.
  bool repair = false;
  bool registers = false, effects = false;  // x64dbg: as x64dbg::feed_options
  // RapidBin: the file of its metadata. Nothing: the one beside the trace, if it exists (x.json of
  // x.data or x.data.xz). Empty: none.
  std::optional<std::string> metadata = {};
  std::uint64_t metadata_memory = rapidbin::metadata_options().memory;  // as metadata_options
  // UMTracer: the names of its numbers, which tell branches; without them their code does.
  std::shared_ptr<const umtracer::names> names = {};
  // All but RapidBin: the file of the program's map, for places_of(). Nothing: the one beside the
  // trace, if it exists. Empty: none. And the files of its symbols, of RapidBin, too.
  std::optional<std::string> maps = {};
  std::vector<symbol_file> symbols = {};
  // tracepack: damaged frames are left out, and it is called for each. With `repair` they are, too, and warn() tells.
  std::function<void(const tracepack::lost_records&)> lost = {};
  unsigned threads = 0;  // tracepack: as tracepack::reader_options
  bool strict = false;   // STD text: as rapidbin::std_options
  // Called with what is no error, but makes what is read doubtful: one line, with the file's name.
  // Nothing: it is not looked for.
  std::function<void(const std::string&)> warn = {};
  // Called with what a reader left out or read in one of several ways, and with what the trace lacks: one line, with the
  // file's name. What is read is not doubtful.
  std::function<void(const std::string&)> note = {};
};

// What is told of a pack's damaged frames: `lost`; without it and with `repair` warn(). Empty if they are not left out.
TRACECODEC_FUNC std::function<void(const tracepack::lost_records&)> lost_of(const visit_options& o);

// Whether it is ChampSim's or CloudSuite's.
constexpr bool has_records(format f) noexcept {
  return f == format::champsim || f == format::cloudsuite;
}

// Whether it is RapidBin's, as a file or as text.
constexpr bool has_events(format f) noexcept { return f == format::rapidbin || f == format::std; }

namespace detail {
// Whether `path` is a file; false if nothing is there. Throws trace_error(system) for anything
// else: to read it could take for ever.
bool is_file_beside(const std::string& path, const std::string& expected);
}  // namespace detail

// The metadata of the RapidBin trace `name`. Throws trace_error: as rapidbin::read_metadata();
// system if what is there, or is demanded, is no file; unsupported if this build reads none and it
// is demanded.
TRACECODEC_FUNC std::optional<rapidbin::metadata> metadata_of(const std::string& name,
                                                              const visit_options& o);

// The same of the trace `in`, which is at its first byte, and is STD `text` or not; warns if they
// seem to be another trace's. Of text without names: those are its own, and the metadata's are of the ids in a RapidBin
// file that lies there, too.
TRACECODEC_FUNC std::optional<rapidbin::metadata> metadata_of(io::input& in, bool text,
                                                              const visit_options& o);

// Returns the events of a RapidBin trace that `o` chooses: by `wanted`, and by `thread`.
TRACECODEC_FUNC rapidbin::selection wanted_events(const visit_options& o);

// A trace that is open, and its format: a file, standard input or a pipe; or the folder of an
// UMTracer trace. Movable.
class source {
 public:
  // "-" is standard input. Throws trace_error: as io::open_input() and recognise(); not_a_trace for
  // a folder without exec.vtable, and a single file of an UMTracer trace.
  explicit source(const std::string& path, const visit_options& o = {});
  // Throws trace_error: as recognise(); refused for an UMTracer trace, which is no one input.
  explicit source(io::input in, const visit_options& o = {});

  [[nodiscard]] trace::format format() const noexcept { return format_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Only if the format is not umtracer. Of a packed trace its content. What record() describes lies there as it is.
  [[nodiscard]] io::input& input();
  // Whether the trace can be read a second time.
  [[nodiscard]] bool rewindable();

  // The table that describes its records, which then are not those of format(): they may become such. Null of others.
  [[nodiscard]] const std::shared_ptr<const file::record_table>& record() const noexcept {
    return record_;
  }
  // What a trace says of itself that is tracepack (its format is the records'); nullptr of others.
  [[nodiscard]] const std::shared_ptr<const tracepack::about>& packed() const noexcept {
    return about_;
  }
  // Its reader, at the first record, if input() was not called before; gives it away. Otherwise nullptr.
  [[nodiscard]] std::shared_ptr<tracepack::reader> take_pack() noexcept { return std::move(pack_); }

 private:
  void describe(const std::string& name, const visit_options& o);
  // Keeps the records that `o` wants, with the registers that it wants.
  void change(const visit_options& o);
  void take(io::input in, const visit_options& o);
  void take_packed(io::input in, const visit_options& o);

  trace::format format_ = format::champsim;
  std::string name_ = {};
  std::optional<io::input> input_ = {};
  std::shared_ptr<const file::record_table> record_ = {};
  std::shared_ptr<const tracepack::about> about_ = {};
  std::shared_ptr<tracepack::reader> pack_ = {};  // until input_ is made of it
  std::function<void(const tracepack::lost_records&)> lost_ = {};
};

// Throws trace_error(refused) for an option that the format of `from` does not have.
TRACECODEC_FUNC void require_known_options(const source& from, const visit_options& options);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/source.ipp"
#endif
