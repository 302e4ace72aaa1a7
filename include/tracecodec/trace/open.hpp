// Opens a trace of any format the library reads as a feed: the format is recognised by content.
// x64dbg's are read if TRACECODEC_WITH_SIMDJSON and TRACECODEC_WITH_ZYDIS are defined, as meson,
// CMake and pkg-config do where the two libraries are; the metadata of RapidBin with the first,
// UMTracer's with the second.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "../champsim/feed.hpp"
#include "../champsim/recognise.hpp"
#include "../champsim/record_regions.hpp"
#include "../champsim/table_source.hpp"
#include "../champsim/watched_feed.hpp"
#include "../io/filesystem.hpp"
#include "../io/open.hpp"
#include "../rapidbin/feed.hpp"
#include "../rapidbin/open.hpp"
#include "../rapidbin/reader/metadata_match.hpp"
#include "../rapidbin/recognise.hpp"
#include "../umtracer/files.hpp"
#include "../umtracer/layout/names.hpp"
#include "../x64dbg/recognise.hpp"
#include "no_trace.hpp"

#if defined(TRACECODEC_WITH_SIMDJSON)
#include "../rapidbin/read_metadata.hpp"
#endif
#if defined(TRACECODEC_WITH_ZYDIS)
#include "../umtracer/feed.hpp"
#define TRACECODEC_OPENS_UMTRACER 1
#else
#define TRACECODEC_OPENS_UMTRACER 0
#endif
#if defined(TRACECODEC_WITH_SIMDJSON) && defined(TRACECODEC_WITH_ZYDIS)
#include "../x64dbg/feed.hpp"
#define TRACECODEC_OPENS_X64DBG 1
#else
#define TRACECODEC_OPENS_X64DBG 0
#endif

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
inline format recognise(io::input& in) {
  const auto head = in.peek(io::input::peek_limit);
  const auto no_trace = [&in](std::uint64_t offset, const std::string& why) {
    return trace_error(trace_errc::not_a_trace, {in.name(), offset}, why + in.offset_note());
  };
  if (head.empty()) {
    in.check_ahead();  // an error has its own words
    throw no_trace(0, "empty, expected a trace");
  }
  constexpr std::size_t tar_magic = 257;
  if (head.size() >= tar_magic + 5 &&
      std::string_view(reinterpret_cast<const char*>(head.data()) + tar_magic, 5) == "ustar")
    throw no_trace(tar_magic, "a tar archive, expected a trace: unpack it first");
  if (x64dbg::begins_like_a_trace(head)) return format::x64dbg;
  if (rapidbin::begins_like_std(head)) return format::std;
  if (const auto what = named_by_content(head); !what.empty()) throw no_trace(0, std::string(what));
  std::optional<std::uint64_t> size;
  if (in.mapped()) size = in.bytes().size();
  if (head.size() < io::input::peek_limit) size = head.size();
  const auto events = rapidbin::judge(head, size);
  if (events == rapidbin::likeness::certain) return format::rapidbin;
  const auto standard = champsim::judge<champsim::instruction_codec>(head);
  const auto cloudsuite = champsim::judge<champsim::cloudsuite_codec>(head);
  if (cloudsuite.likely() && cloudsuite.more_than(standard)) return format::cloudsuite;
  if (standard.likely()) return format::champsim;
  if (events == rapidbin::likeness::possible) return format::rapidbin;
  const auto printable = [](std::byte b) {
    const auto c = std::to_integer<unsigned char>(b);
    return (c >= ' ' && c < 0x7F) || (c >= '\t' && c <= '\r');
  };
  // Of a few bytes without a line's end nobody can tell.
  const bool enough =
      standard.records != 0 || std::find(head.begin(), head.end(), std::byte{'\n'}) != head.end();
  in.check_ahead();  // more of it could not be seen
  if (enough && std::all_of(head.begin(), head.end(), printable))
    throw no_trace(0, "not a trace of a known format: text, but no events in STD's form");
  // Too short for one record: the reader says so.
  if (standard.records == 0) return format::champsim;
  if (!standard.bad_byte)
    throw no_trace(0, "not a trace of a known format: its records would all be at address 0");
  const auto found = std::to_integer<unsigned>(head[*standard.bad_byte]);
  const auto guess = champsim::guess_layout(head, 0);
  throw no_trace(*standard.bad_byte,
                 "not a trace of a known format: expected a flag byte of 0 or 1, found " +
                     std::to_string(found) +
                     (guess ? champsim::advice(*guess)
                            : std::string("; name the format to read it all the same")));
}

// A list of a program's symbols, as nm prints it.
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
  // x64dbg, RapidBin, UMTracer: only its instructions
  std::optional<std::uint32_t> thread = {};
  rapidbin::selection wanted = {};  // RapidBin: only these events
  // ChampSim, CloudSuite: whose classes branches get. Nothing: today's.
  std::optional<champsim::branch_rules> branch_rules = {};
  // x64dbg: the thread-id defect is mended on the way. RapidBin, UMTracer: as
  // reader_options::lenient.
  bool repair = false;
  bool registers = false;  // x64dbg: as x64dbg::feed_options
  // RapidBin: the file of its metadata. Nothing: the one beside the trace, if it exists (x.json of
  // x.data or x.data.xz). Empty: none.
  std::optional<std::string> metadata = {};
  std::uint64_t metadata_memory = rapidbin::metadata_options().memory;  // as metadata_options
  // UMTracer: the names of its numbers, which tell branches; without them their code does.
  std::shared_ptr<const umtracer::names> names = {};
  // All but RapidBin: the file of the program's map, for places_of(). Nothing: the one beside the
  // trace, if it exists. Empty: none. And the files of its symbols.
  std::optional<std::string> maps = {};
  std::vector<symbol_file> symbols = {};
  // Called with what is no error, but makes what is read doubtful: one line, with the file's name.
  // Nothing: it is not looked for.
  std::function<void(const std::string&)> warn = {};
};

// Whether it is ChampSim's or CloudSuite's.
constexpr bool has_records(format f) noexcept {
  return f == format::champsim || f == format::cloudsuite;
}

// Whether it is RapidBin's, as a file or as text.
constexpr bool has_events(format f) noexcept { return f == format::rapidbin || f == format::std; }

namespace detail {
// Whether `path` is a file; false if nothing is there. Throws trace_error(system) for anything
// else: to read it could take for ever.
inline bool is_file_beside(const std::string& path, const std::string& expected) {
  namespace fs = std::filesystem;
  std::error_code error, ignored;
  const auto at = io::path_of(path);
  const fs::file_type type = fs::status(at, error).type();
  if (type == fs::file_type::regular || error == std::errc::filename_too_long) return !error;
  const auto what = [&]() -> std::string {
    switch (type) {
      case fs::file_type::not_found:
        return fs::is_symlink(at, ignored) ? "a link to nothing" : "";
      case fs::file_type::directory:
        return "a folder";
      case fs::file_type::fifo:
        return "a pipe";
      case fs::file_type::socket:
        return "a socket";
      case fs::file_type::none:
        return error.message();
      default:
        return "a device";
    }
  }();
  if (what.empty()) return false;
  throw trace_error(trace_errc::system, {.file = path},
                    what + ", expected " + expected + " in a file");
}
}  // namespace detail

// The metadata of the RapidBin trace `name`. Throws trace_error: as rapidbin::read_metadata();
// system if what is there, or is demanded, is no file; unsupported if this build reads none and it
// is demanded.
inline std::optional<rapidbin::metadata> metadata_of(const std::string& name,
                                                     const visit_options& o) {
  if (o.metadata ? o.metadata->empty() : name == "<stdin>") return std::nullopt;
  const std::string path = o.metadata ? *o.metadata : rapidbin::metadata_path(name);
  if (!o.metadata && path == name) return std::nullopt;
  if (path != "-" && !detail::is_file_beside(path, "the metadata of a RapidBin trace") &&
      !o.metadata)
    return std::nullopt;
#if defined(TRACECODEC_WITH_SIMDJSON)
  io::open_options how = o.input;
  how.compression.reset();  // the trace's own
  return rapidbin::read_metadata(io::open_input(path, how), {.memory = o.metadata_memory});
#else
  if (!o.metadata) return std::nullopt;
  throw trace_error(trace_errc::unsupported, {.file = path},
                    "this build reads no metadata, as it lacks simdjson");
#endif
}

// The same of the trace `in`, which is at its first byte, and is STD `text` or not; warns if they
// seem to be another trace's.
inline std::optional<rapidbin::metadata> metadata_of(io::input& in, bool text,
                                                     const visit_options& o) {
  auto names = metadata_of(in.name(), o);
  if (!names || !o.warn) return names;
  const auto front = in.peek(io::input::peek_limit);
  const std::string why =
      rapidbin::mismatch(*names, front, front.size() < io::input::peek_limit, text);
  if (!why.empty())
    o.warn(o.metadata.value_or(rapidbin::metadata_path(in.name())) +
           ": seems to be the metadata of another trace: " + why);
  return names;
}

// A trace that is open, and its format: a file, standard input or a pipe; or the folder of an
// UMTracer trace. Movable.
class source {
 public:
  // "-" is standard input. Throws trace_error: as io::open_input() and recognise(); not_a_trace for
  // a folder without exec.vtable, and a single file of an UMTracer trace.
  explicit source(const std::string& path, const visit_options& o = {}) : name_(path) {
    if (o.record) {
      const trace::format as = format_of_record(path, o);
      take_records(champsim::open_table(path, o.record, as == format::cloudsuite, o.input), as);
      return;
    }
    std::error_code ignored;
    if (o.format == format::umtracer ||
        (!o.format && path != "-" && std::filesystem::is_directory(io::path_of(path), ignored))) {
      format_ = format::umtracer;
      umtracer::require_trace_folder(path);
      return;
    }
    if (const auto what = named_by_name(path);
        !o.format && !what.empty() && std::filesystem::exists(io::path_of(path), ignored))
      throw trace_error(trace_errc::not_a_trace, {.file = path}, std::string(what));
    take(io::open_input(path, o.input), o);
  }
  // Throws trace_error: as recognise(); refused for an UMTracer trace, which is no one input.
  explicit source(io::input in, const visit_options& o = {}) { take(std::move(in), o); }

  [[nodiscard]] trace::format format() const noexcept { return format_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Only if the format is not umtracer.
  [[nodiscard]] io::input& input() noexcept { return *input_; }

 private:
  // Whose records those of o.record become.
  static trace::format format_of_record(const std::string& name, const visit_options& o) {
    if (o.format && !has_records(*o.format))
      throw trace_error(trace_errc::refused, {.file = name},
                        "its records are described: they become ChampSim's or CloudSuite's, not " +
                            std::string(trace::name(*o.format)));
    if (o.format) return *o.format;
    return champsim::needs_cloudsuite(*o.record) ? format::cloudsuite : format::champsim;
  }
  void take_records(io::input in, trace::format as) {
    name_ = in.name();
    format_ = as;
    input_.emplace(std::move(in));
  }
  void take(io::input in, const visit_options& o) {
    if (o.record) {
      const trace::format as = format_of_record(in.name(), o);
      return take_records(champsim::open_table(std::move(in), o.record, as == format::cloudsuite),
                          as);
    }
    name_ = in.name();
    if (o.format == format::umtracer)
      throw trace_error(trace_errc::refused, {.file = name_}, "an UMTracer trace is a folder");
    format_ = o.format ? *o.format : recognise(in);
    input_.emplace(std::move(in));
  }
  trace::format format_ = format::champsim;
  std::string name_ = {};
  std::optional<io::input> input_ = {};
};

// Throws trace_error(unsupported): for builds without Zydis.
[[noreturn]] inline void refuse_umtracer(const std::string& name) {
  throw trace_error(trace_errc::unsupported, {.file = name},
                    "an UMTracer trace: this build reads none, as it lacks Zydis");
}

// Throws trace_error(unsupported): for builds without x64dbg.
[[noreturn]] inline void refuse_x64dbg(const io::input& in) {
  throw trace_error(trace_errc::unsupported, {.file = in.name()},
                    "an x64dbg trace: this build reads none, as it lacks simdjson or Zydis");
}

#if TRACECODEC_OPENS_X64DBG
namespace detail {
template <class Visitor>
decltype(auto) visit_x64dbg(io::input in, const visit_options& o, Visitor&& visitor) {
  io::window window(std::move(in));
  x64dbg::trace_header header = x64dbg::read_header(window);
  const x64dbg::feed_options how{.thread = o.thread, .repair = o.repair, .registers = o.registers};
  if (header.arch == x64dbg::target::x86)
    return visitor(
        x64dbg::trace_feed<x64dbg::target::x86>(std::move(window), std::move(header), how));
  return visitor(
      x64dbg::trace_feed<x64dbg::target::x64>(std::move(window), std::move(header), how));
}
}  // namespace detail
#endif

namespace detail {
template <class Record, champsim::branch_rules Rules, class Visitor>
decltype(auto) visit_records(io::input in, const visit_options& o, Visitor& visitor) {
  // Whose records are described, they are of no other size.
  return visitor(champsim::watched_feed<Record, Rules>(
      champsim::trace_feed<Record, Rules>(std::move(in)),
      o.record ? std::function<void(const std::string&)>() : o.warn));
}
// ChampSim's and CloudSuite's.
template <class Record, class Visitor>
decltype(auto) visit_champsim(io::input in, const visit_options& o, Visitor& visitor) {
  using enum champsim::branch_rules;
  if (o.branch_rules == of_2022) return visit_records<Record, of_2022>(std::move(in), o, visitor);
  return visit_records<Record, current>(std::move(in), o, visitor);
}
}  // namespace detail

// Calls visitor(feed) with the feed of `from`, whose type depends on the format: the visitor is a
// template, compiled once for each. Throws trace_error: as the feed's constructor; refused: an
// option that the format does not have; unsupported: this build reads none such.
template <class Visitor>
decltype(auto) visit(source from, const visit_options& options, Visitor&& visitor) {
  const format f = from.format();
  const auto refuse = [&](const char* what) {
    throw trace_error(trace_errc::refused, {.file = from.name()},
                      (f == format::x64dbg || f == format::umtracer ? "an " : "a ") +
                          std::string(name(f)) + " trace has no " + what);
  };
  if (!has_events(f) && options.metadata && !options.metadata->empty()) refuse("metadata");
  if (!has_events(f) && !options.wanted.everything()) refuse("events to choose from");
  if (!has_records(f) && options.branch_rules) refuse("registers that rules of branches go by");
  if (f == format::umtracer) {
#if TRACECODEC_OPENS_UMTRACER
    return visitor(umtracer::trace_feed(
        umtracer::reader(from.name(), {.lenient = options.repair}),
        umtracer::feed_options{.thread = options.thread, .names = options.names}));
#else
    refuse_umtracer(from.name());
#endif
  }
  io::input in = std::move(from.input());
  if (f == format::x64dbg) {
#if TRACECODEC_OPENS_X64DBG
    return detail::visit_x64dbg(std::move(in), options, visitor);
#else
    refuse_x64dbg(in);
#endif
  }
  if (has_events(f)) {
    auto names = metadata_of(in, f == format::std, options);
    rapidbin::open_options how{
        .text = f == format::std, .lenient = options.repair, .wanted = options.wanted};
    if (options.thread) how.wanted.threads.insert(*options.thread);
    auto events = rapidbin::open_events(std::move(in), std::move(how));
    return visitor(
        rapidbin::trace_feed(std::move(events), names ? rapidbin::address_map(std::move(*names))
                                                      : rapidbin::address_map()));
  }
  if (options.thread) refuse("threads to choose from");
  if (options.repair) refuse("defect to repair");
  if (f == format::cloudsuite)
    return detail::visit_champsim<champsim::cloudsuite_instruction>(std::move(in), options,
                                                                    visitor);
  return detail::visit_champsim<champsim::instruction>(std::move(in), options, visitor);
}

// The same of an input that is open, or of a path ("-" is standard input). Throws trace_error as
// source, too.
template <class Visitor>
decltype(auto) visit(io::input in, const visit_options& options, Visitor&& visitor) {
  return visit(source(std::move(in), options), options, std::forward<Visitor>(visitor));
}
template <class Visitor>
decltype(auto) visit(const std::string& path, const visit_options& options, Visitor&& visitor) {
  return visit(source(path, options), options, std::forward<Visitor>(visitor));
}
template <class Visitor> decltype(auto) visit(const std::string& path, Visitor&& visitor) {
  static const visit_options usual;  // g++ -O3 warns of one that is destroyed here
  return visit(path, usual, std::forward<Visitor>(visitor));
}

}  // namespace tracecodec::trace
