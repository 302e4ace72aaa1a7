// The functions of trace/source.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <utility>

#include "../../champsim/known_tables.hpp"
#include "../../champsim/recognise.hpp"
#include "../../champsim/table_feed.hpp"
#include "../../champsim/thread_records.hpp"
#include "../../file/named_by_content.hpp"
#include "../../file/record_table.hpp"
#include "../../io/os/filesystem.hpp"
#include "../../io/os/os.hpp"
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

TRACECODEC_FUNC format recognise(io::input& in) {
  const auto head = in.peek(io::input::peek_limit);
  const auto no_trace = [&in](std::uint64_t offset, const std::string& why) {
    return trace_error(trace_errc::not_a_trace, {in.name(), offset}, why + in.offset_note());
  };
  if (head.empty()) {
    in.check_ahead();  // an error has its own words
    throw no_trace(0, "empty, expected a trace");
  }
  if (x64dbg::begins_like_a_trace(head)) return format::x64dbg;
  if (rapidbin::begins_like_std(head)) return format::std;
  const file::known_file known = file::named_by_content(head);
  const auto refuse_known = [&] {
    in.check_ahead();  // more of it could not be seen
    throw no_trace(0, known.message());
  };
  if (known && known.is == file::known_file::evidence::certain) refuse_known();
  std::optional<std::uint64_t> size;
  if (in.mapped()) size = in.bytes().size();
  if (head.size() < io::input::peek_limit) size = head.size();
  const auto events = rapidbin::judge(head, size);
  if (events == rapidbin::likeness::certain) return format::rapidbin;
  const auto standard = champsim::judge<champsim::instruction_codec>(head);
  const bool begins_as_another = known && known.is != file::known_file::evidence::weak;
  if (const auto kind = champsim::recognise_records(head, standard, begins_as_another))
    return *kind == champsim::usual_record::cloudsuite ? format::cloudsuite : format::champsim;
  if (!known && events == rapidbin::likeness::possible) return format::rapidbin;
  if (known) refuse_known();
  in.check_ahead();
  // Of a few bytes without a line's end nobody can say what they are.
  const bool enough =
      standard.records != 0 || std::find(head.begin(), head.end(), std::byte{'\n'}) != head.end();
  if (enough && file::is_text(head))
    throw no_trace(0, "not a trace of a known format: text, but no events in STD's form");
  // Too short for one record: the reader says so.
  if (standard.records == 0) return format::champsim;
  const auto why =
      champsim::why_no_records(head, standard, size, "; name the format to read it all the same");
  throw no_trace(why.offset, "not a trace of a known format: " + why.text);
}

namespace detail {
// Returns what `path` leads to, in words; an empty text if nothing is there or can be under such a
// name; otherwise why it cannot be looked at.
TRACECODEC_FUNC std::string what_is_at(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path at = io::path_of(path);
  std::error_code error;
  switch (fs::status(at, error).type()) {
    case fs::file_type::regular:
      return "a file";
    case fs::file_type::directory:
      return "a folder";
    case fs::file_type::fifo:
      return "a pipe";
    case fs::file_type::socket:
      return "a socket";
    case fs::file_type::not_found:
      return fs::is_symlink(at, error) ? "a link to nothing" : "";
    default:
      if (error == std::errc::filename_too_long) return "";
      return error ? error.message() : "a device";
  }
}

TRACECODEC_FUNC bool is_file_beside(const std::string& path, const std::string& expected) {
  const std::string what = what_is_at(path);
  if (what.empty() || what == "a file") return !what.empty();
  throw trace_error(trace_errc::system, {.file = path},
                    what + ", expected " + expected + " in a file");
}
}  // namespace detail

TRACECODEC_FUNC std::optional<rapidbin::metadata> metadata_of(const std::string& name,
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

TRACECODEC_FUNC std::optional<rapidbin::metadata> metadata_of(io::input& in, bool text,
                                                              const visit_options& o) {
  auto names = metadata_of(in.name(), o);
  if (names && text) {
    if (!names->has_records()) return std::nullopt;
    names->names = {};
  }
  if (!names || !o.warn) return names;
  const auto front = in.peek(io::input::peek_limit);
  const std::string why =
      rapidbin::mismatch(*names, front, front.size() < io::input::peek_limit, text);
  if (!why.empty())
    o.warn(o.metadata.value_or(rapidbin::metadata_path(in.name())) +
           ": seems to be the metadata of another trace: " + why);
  return names;
}
TRACECODEC_FUNC rapidbin::selection wanted_events(const visit_options& o) {
  rapidbin::selection wanted = o.wanted;
  if (o.thread && !o.thread_name.empty())
    wanted.names.threads.push_back(o.thread_name);
  else if (o.thread)
    wanted.threads.insert(*o.thread);
  return wanted;
}

namespace detail {
// The table that the library knows for the records of `in`, which are none of the usual ones; null if there is none.
TRACECODEC_FUNC const champsim::known_table* known_table_of(io::input& in) {
  const auto head = in.peek(io::input::peek_limit);
  const auto* const found = champsim::recognise_table(head);
  if (found == nullptr || found->name != "champsim2") return found;
  return champsim::judge<champsim::instruction_codec>(head).likely() ? nullptr : found;
}

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

TRACECODEC_FUNC source::source(const std::string& path, const visit_options& o) : name_(path) {
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
  take(io::open_input(path, o.input), o);
  change(o);
}
TRACECODEC_FUNC source::source(io::input in, const visit_options& o) {
  take(std::move(in), o);
  change(o);
}

TRACECODEC_FUNC void source::change(const visit_options& o) {
  if (o.thread && format_ == format::cloudsuite) {
    io::input& in = input();
    auto table = record_ != nullptr
                     ? record_
                     : std::make_shared<const file::record_table>(champsim::cloudsuite_table());
    in = champsim::keep_thread(std::move(in), std::move(table), *o.thread);
    if (record_ != nullptr)
      record_ = std::make_shared<const file::record_table>(record_->with_header(0));
  }
  if (o.map_registers && has_records(format_)) {
    io::input& in = input();
    in = record_ != nullptr
             ? champsim::renumber_registers(std::move(in), *o.map_registers, *record_)
             : champsim::renumber_registers(std::move(in), *o.map_registers,
                                            format_ == format::cloudsuite);
  }
}

// Its records are those of o.record.
TRACECODEC_FUNC void source::describe(const std::string& name, const visit_options& o) {
  format_ = detail::format_of_record(name, o);
  static_cast<void>(champsim::instruction_columns(*o.record, name, true));  // it may have no ip
  record_ = o.record;
}
TRACECODEC_FUNC void source::take(io::input in, const visit_options& o) {
  if (tracepack::begins_like_a_pack(in.peek(tracepack::magic.size())))
    return take_packed(std::move(in), o);
  name_ = in.name();
  if (o.record) {
    describe(name_, o);
    input_.emplace(std::move(in));
    return;
  }
  if (!o.format)
    if (const auto* const t = detail::known_table_of(in)) {
      visit_options as = o;
      as.record = std::make_shared<const file::record_table>(
          file::parse_record_table(t->text, std::string(t->name)));
      describe(name_, as);
      input_.emplace(std::move(in));
      return;
    }
  if (o.format == format::umtracer)
    throw trace_error(trace_errc::refused, {.file = name_}, "an UMTracer trace is a folder");
  format_ = o.format ? *o.format : recognise(in);
  input_.emplace(std::move(in));
}

namespace detail {
// Warns of the first damaged frames of a pack, one by one, and in the end of how many more there are: a crafted file has
// one every 48 bytes.
class lost_warnings {
 public:
  explicit lost_warnings(std::function<void(const std::string&)> warn) : warn_(std::move(warn)) {}
  lost_warnings(const lost_warnings&) = delete;
  lost_warnings& operator=(const lost_warnings&) = delete;
  ~lost_warnings() {
    if (frames_ <= most_named) return;
    try {
      warn_(file_ + ": and " + std::to_string(frames_ - most_named) +
            " more damaged frames left out, with " + std::to_string(records_) + " records");
    } catch (...) {
      // The warning is lost; what was read is not.
    }
  }

  void add(const tracepack::lost_records& e) {
    if (++frames_ <= most_named) return warn_(e.warning());
    file_ = e.file();
    records_ += e.next - e.first;
  }

 private:
  static constexpr std::uint64_t most_named = 5;
  std::function<void(const std::string&)> warn_;
  std::string file_ = {};
  std::uint64_t frames_ = 0, records_ = 0;
};
}  // namespace detail

TRACECODEC_FUNC std::function<void(const tracepack::lost_records&)> lost_of(
    const visit_options& o) {
  if (!o.repair || o.lost) return o.lost;
  if (!o.warn) return [](const tracepack::lost_records&) {};
  return [to = std::make_shared<detail::lost_warnings>(o.warn)](const tracepack::lost_records& e) {
    to->add(e);
  };
}

TRACECODEC_FUNC void source::take_packed(io::input in, [[maybe_unused]] const visit_options& o) {
  name_ = in.name();
#if defined(TRACECODEC_WITH_ZSTD)
  lost_ = lost_of(o);
  pack_ = std::make_shared<tracepack::reader>(
      std::move(in), tracepack::reader_options{.lost = lost_, .threads = o.threads});
  about_ = std::make_shared<const tracepack::about>(pack_->about());
  const auto what = about_->kind;
  if (o.record || what == tracepack::record_kind::described) {
    visit_options as = o;
    if (!o.record)
      as.record = std::make_shared<const file::record_table>(
          file::parse_record_table(about_->table, name_));
    // The content of a pack of records is these alone.
    if (what != tracepack::record_kind::bytes && as.record->header().size != 0)
      as.record = std::make_shared<const file::record_table>(as.record->with_header(0));
    return describe(name_, as);
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

TRACECODEC_FUNC io::input& source::input() {
#if defined(TRACECODEC_WITH_ZSTD)
  if (pack_ != nullptr) {
    input_.emplace(tracepack::open_content(std::move(*pack_), lost_));
    pack_ = nullptr;
  }
#endif
  return *input_;
}
TRACECODEC_FUNC bool source::rewindable() {
#if defined(TRACECODEC_WITH_ZSTD)
  if (pack_ != nullptr) return pack_->from().rewindable();
#endif
  return format_ == format::umtracer || input_->rewindable();
}

TRACECODEC_FUNC void require_known_options(const source& from, const visit_options& options) {
  const format f = from.format();
  const auto refuse = [&](const char* what) {
    throw trace_error(trace_errc::refused, {.file = from.name()},
                      (f == format::x64dbg || f == format::umtracer ? "an " : "a ") +
                          std::string(name(f)) + " trace has no " + what);
  };
  if (!has_events(f) && options.metadata && !options.metadata->empty()) refuse("metadata");
  if (!has_events(f) && !options.wanted.everything()) {
    if (options.wanted.threads.size() != 0)
      throw trace_error(trace_errc::refused, {.file = from.name()},
                        "only RapidBin traces take several threads (option thread)");
    refuse("events to choose from");
  }
  if (!has_records(f)) {
    if (options.branch_rules) refuse("registers that rules of branches go by");
    if (options.map_registers) refuse("numbers of registers to be mapped");
    return;
  }
  if (options.thread && f == format::champsim) refuse("threads to choose from");
  if (options.repair && from.packed() == nullptr) refuse("defect to repair");
}

}  // namespace tracecodec::trace
