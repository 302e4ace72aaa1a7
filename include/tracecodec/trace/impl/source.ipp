// The functions of trace/source.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>

#include "../../champsim/recognise.hpp"
#include "../../champsim/record_regions.hpp"
#include "../../champsim/table_source.hpp"
#include "../../file/record_table.hpp"
#include "../../io/os.hpp"
#include "../../rapidbin/reader/metadata_match.hpp"
#include "../../rapidbin/recognise.hpp"
#include "../../tracepack/recognise.hpp"
#include "../../umtracer/files.hpp"
#include "../../x64dbg/recognise.hpp"
#include "../no_trace.hpp"
#include "../source.hpp"
#if defined(TRACECODEC_WITH_SIMDJSON)
#include "../../rapidbin/read_metadata.hpp"
#endif
#if defined(TRACECODEC_WITH_ZSTD)
#include "../../tracepack/open.hpp"
#endif

namespace tracecodec::trace {

TRACECODEC_LAZY_FUNC format recognise(io::input& in) {
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

namespace detail {
TRACECODEC_FUNC bool is_file_beside(const std::string& path, const std::string& expected) {
  const std::string what = io::os::what_is_at(path);
  if (what.empty() || what == "a file") return !what.empty();
  throw trace_error(trace_errc::system, {.file = path},
                    what + ", expected " + expected + " in a file");
}
}  // namespace detail

TRACECODEC_LAZY_FUNC std::optional<rapidbin::metadata> metadata_of(const std::string& name,
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

TRACECODEC_LAZY_FUNC std::optional<rapidbin::metadata> metadata_of(io::input& in, bool text,
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

namespace detail {
// Whose records those of o.record become.
TRACECODEC_FUNC trace::format format_of_record(const std::string& name, const visit_options& o) {
  if (o.format && !has_records(*o.format))
    throw trace_error(trace_errc::refused, {.file = name},
                      "its records are described: they become ChampSim's or CloudSuite's, not " +
                          std::string(trace::name(*o.format)));
  if (o.format) return *o.format;
  return champsim::needs_cloudsuite(*o.record) ? format::cloudsuite : format::champsim;
}
}  // namespace detail

TRACECODEC_LAZY_FUNC source::source(const std::string& path, const visit_options& o) : name_(path) {
  const io::os::kind there = path == "-" ? io::os::kind::missing : io::os::facts_if_any(path).what;
  if (!o.record &&
      (o.format == format::umtracer || (!o.format && there == io::os::kind::directory))) {
    format_ = format::umtracer;
    umtracer::require_trace_folder(path);
    return;
  }
  if (const auto what = named_by_name(path);
      !o.record && !o.format && !what.empty() && there != io::os::kind::missing)
    throw trace_error(trace_errc::not_a_trace, {.file = path}, std::string(what));
  io::input in = io::open_input(path, o.input);
  if (!o.record || !in.rewindable() ||
      tracepack::begins_like_a_pack(in.peek(tracepack::magic.size()))) {
    take(std::move(in), o);
  } else {
    const trace::format as = detail::format_of_record(path, o);
    take_records(champsim::open_table(path, o.record, as == format::cloudsuite, o.input), as);
  }
  map_registers(o);
}
TRACECODEC_LAZY_FUNC source::source(io::input in, const visit_options& o) {
  take(std::move(in), o);
  map_registers(o);
}

TRACECODEC_LAZY_FUNC void source::map_registers(const visit_options& o) {
  if (!o.map_registers || !has_records(format_)) return;
  io::input& in = input();
  in = champsim::renumber_registers(std::move(in), *o.map_registers, format_ == format::cloudsuite);
}

TRACECODEC_FUNC void source::take_records(io::input in, trace::format as) {
  name_ = in.name();
  format_ = as;
  input_.emplace(std::move(in));
}
TRACECODEC_LAZY_FUNC void source::take(io::input in, const visit_options& o) {
  if (tracepack::begins_like_a_pack(in.peek(tracepack::magic.size())))
    return take_packed(std::move(in), o);
  if (o.record) {
    const trace::format as = detail::format_of_record(in.name(), o);
    return take_records(champsim::open_table(std::move(in), o.record, as == format::cloudsuite),
                        as);
  }
  name_ = in.name();
  if (o.format == format::umtracer)
    throw trace_error(trace_errc::refused, {.file = name_}, "an UMTracer trace is a folder");
  format_ = o.format ? *o.format : recognise(in);
  input_.emplace(std::move(in));
}

TRACECODEC_LAZY_FUNC io::callback<void(const tracepack::lost_records&)> lost_of(
    const visit_options& o) {
  if (!o.repair || o.lost) return o.lost;
  return [warn = o.warn](const tracepack::lost_records& e) {
    if (warn) warn(e.warning());
  };
}

TRACECODEC_LAZY_FUNC void source::take_packed(io::input in,
                                              [[maybe_unused]] const visit_options& o) {
  name_ = in.name();
#if defined(TRACECODEC_WITH_ZSTD)
  lost_ = lost_of(o);
  pack_ = io::make_shared<tracepack::reader>(
      std::move(in), tracepack::reader_options{.lost = lost_, .threads = o.threads});
  about_ = io::make_shared<const tracepack::about>(pack_->about());
  const auto what = about_->kind;
  if (o.record || what == tracepack::record_kind::described) {
    visit_options as = o;
    if (!o.record)
      as.record =
          io::make_shared<const file::record_table>(file::parse_record_table(about_->table, name_));
    const trace::format of = detail::format_of_record(name_, as);
    return take_records(
        champsim::open_table(std::move(input()), as.record, of == format::cloudsuite), of);
  }
  if (o.format)
    format_ = *o.format;
  else if (what == tracepack::record_kind::bytes)
    try {
      format_ = recognise(input());
    } catch (const trace_error& e) {
      if (e.code() != trace_errc::not_a_trace) throw;
      throw trace_error(e.code(), {.file = name_},
                        "is a tracepack of bytes, which are not a trace of a known format");
    }
  else
    format_ = what == tracepack::record_kind::cloudsuite ? format::cloudsuite : format::champsim;
  if (format_ == format::umtracer)
    throw trace_error(trace_errc::refused, {.file = name_}, "an UMTracer trace is a folder");
#else
  throw trace_error(trace_errc::unsupported, {.file = name_},
                    "tracepack: this build reads none, as it lacks zstd");
#endif
}

TRACECODEC_LAZY_FUNC io::input& source::input() {
#if defined(TRACECODEC_WITH_ZSTD)
  if (pack_ != nullptr) {
    input_.emplace(tracepack::open_content(std::move(*pack_), lost_));
    pack_ = nullptr;
  }
#endif
  return *input_;
}
TRACECODEC_LAZY_FUNC bool source::rewindable() {
#if defined(TRACECODEC_WITH_ZSTD)
  if (pack_ != nullptr) return pack_->from().rewindable();
#endif
  return format_ == format::umtracer || input_->rewindable();
}

TRACECODEC_LAZY_FUNC void require_known_options(const source& from, const visit_options& options) {
  const format f = from.format();
  const auto refuse = [&](const char* what) {
    throw trace_error(trace_errc::refused, {.file = from.name()},
                      (f == format::x64dbg || f == format::umtracer ? "an " : "a ") +
                          std::string(name(f)) + " trace has no " + what);
  };
  if (!has_events(f) && options.metadata && !options.metadata->empty()) refuse("metadata");
  if (!has_events(f) && !options.wanted.everything()) refuse("events to choose from");
  if (!has_records(f)) {
    if (options.branch_rules) refuse("registers that rules of branches go by");
    if (options.map_registers) refuse("numbers of registers to be mapped");
    return;
  }
  if (options.thread) refuse("threads to choose from");
  if (options.repair && from.packed() == nullptr) refuse("defect to repair");
}

}  // namespace tracecodec::trace
