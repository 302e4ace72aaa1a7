// Implementation of trace/source.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../../champsim/known_tables.hpp"
#include "../../champsim/recognise.hpp"
#include "../../champsim/table_feed.hpp"
#include "../../file/named_by_content.hpp"
#include "../../file/record_table.hpp"
#include "../../io/os/os.hpp"
#include "../../io/os/path.hpp"
#include "../../tracepack/recognise.hpp"
#include "../formats.hpp"
#include "../source.hpp"
#if defined(TRACECODEC_WITH_ZSTD)
#include "../../tracepack/open.hpp"
#endif

namespace tracecodec::trace {

TRACECODEC_FUNC std::span<const format::facts* const> all_formats() noexcept {
  return formats::all;
}
TRACECODEC_FUNC const format::facts* find_format(std::string_view name) noexcept {
  for (const format::facts* const f : formats::all)
    if (f->name == name) return f;
  return nullptr;
}
TRACECODEC_FUNC bool is_readable(const format::facts& f) noexcept {
  bool readable = false;
  formats::with(f, [&readable]<class D>() { readable = format::is_readable<D>(); });
  return readable;
}
TRACECODEC_FUNC const format::option* find_option(std::string_view name) noexcept {
  for (const format::facts* const f : formats::all)
    for (const format::option* const o : f->options)
      if (o->name == name) return o;
  return nullptr;
}

TRACECODEC_FUNC const format::facts& recognise(io::input& in) {
  using format::match;
  const auto head = in.peek(io::input::peek_limit);
  const auto no_trace = [&in](std::uint64_t offset, const std::string& why) {
    return trace_error(trace_errc::not_a_trace, {in.name(), offset}, why + in.offset_note());
  };
  if (head.empty()) {
    // If a read error is the reason why the input seems empty, throw the read error instead.
    in.check_ahead();
    throw no_trace(0, "empty, expected a trace");
  }
  format::front front{.bytes = head, .known = file::named_by_content(head)};
  if (in.mapped()) front.size = in.bytes().size();
  if (head.size() < io::input::peek_limit) front.size = head.size();

  const format::facts* found = nullptr;
  match best = match::none;
  formats::for_each([&]<class D>() {
    const match m = D::probe(front);
    if (m > best) best = m, found = &D::facts;
  });
  const file::known_file& known = front.known;
  if (best == match::marked) return *found;
  if (known && (known.is == file::known_file::evidence::certain || best <= match::possible)) {
    // If a read error made `head` short, throw the read error instead.
    in.check_ahead();
    throw no_trace(0, known.message());
  }
  if (best >= match::possible) return *found;
  in.check_ahead();
  // A few bytes without a line break are not enough to recognise text.
  const bool enough = best != match::too_short ||
                      std::find(head.begin(), head.end(), std::byte{'\n'}) != head.end();
  if (enough && file::is_text(head))
    throw no_trace(0, "not a trace of a known format: text, but without the lines of a trace");
  if (best == match::too_short) return *found;
  format::mismatch why;
  formats::for_each([&]<class D>() {
    if constexpr (format::with_explanation<D>)
      if (auto one = D::explain(front); one && why.text.empty()) why = std::move(*one);
  });
  throw no_trace(why.offset, "not a trace of a known format: " + why.text);
}

TRACECODEC_FUNC const format::facts& format_of_record(const std::string& name,
                                                      const format::open_options& o) {
  if (o.format != nullptr && !o.format->takes_tables)
    throw trace_error(
        trace_errc::refused, {.file = name},
        "its records are described and can only become ChampSim's or CloudSuite's, not " +
            std::string(o.format->name));
  if (o.format != nullptr) return *o.format;
  return champsim::needs_cloudsuite(*o.record) ? champsim::cloudsuite_descriptor::facts
                                               : champsim::descriptor::facts;
}

namespace detail {
// Returns the built-in table that matches the records of `in`, or null if no table matches. Also
// returns null for the table "champsim2" if the records are likely to be ChampSim records.
TRACECODEC_FUNC const champsim::known_table* known_table_of(io::input& in) {
  const auto head = in.peek(io::input::peek_limit);
  const auto* const found = champsim::recognise_table(head);
  if (found == nullptr || found->name != "champsim2") return found;
  return champsim::probe<champsim::instruction_codec>(head).likely() ? nullptr : found;
}

// Throws trace_error(not_a_trace) if the file's name shows that the file is only one part of a
// trace that is a folder.
TRACECODEC_FUNC void refuse_part_of_folder(const std::string& path) {
  const std::string_view name = std::string_view(path).substr(io::file_name_at(path));
  for (const format::facts* const f : formats::all)
    for (const std::string_view part : f->marked_files)
      if (name == part)
        throw trace_error(trace_errc::not_a_trace, {.file = path},
                          "a file of " + format::trace_of(*f, f->title) +
                              ": open the folder that contains all of them");
}
// Throws trace_error(refused) if `f` is not null and not in the list of formats.
TRACECODEC_FUNC void require_listed(const format::facts* f, const std::string& name) {
  if (f != nullptr && !formats::has(*f))
    throw trace_error(trace_errc::refused, {.file = name},
                      "the format " + std::string(f->name) + " is not in the list of formats");
}
TRACECODEC_FUNC const format::facts* format_of_folder(const std::string& path) {
  for (const format::facts* const f : formats::all)
    if (f->is_folder() &&
        io::os::facts_if_any(path + '/' + std::string(f->folder_files.front())).what !=
            io::os::kind::missing)
      return f;
  return nullptr;
}
// Opens the folder `path` of files of the format `o.format`, or of any format. Returns nullopt if the
// folder contains no such files.
TRACECODEC_FUNC std::optional<io::input> open_parts(const std::string& path,
                                                    const tracecodec::format::open_options& o) {
  std::optional<io::input> in;
  formats::for_each([&]<class D>() {
    if constexpr (tracecodec::format::with_part_files<D>)
      if (!in && (o.format == nullptr || o.format == &D::facts)) in = D::open_folder(path, o);
  });
  return in;
}
// Returns the first format whose traces are folders, or null if no format has folders.
TRACECODEC_FUNC const format::facts* first_of_folders() {
  for (const format::facts* const f : formats::all)
    if (f->is_folder()) return f;
  return nullptr;
}
}  // namespace detail

TRACECODEC_FUNC source::source(const std::string& path, const tracecodec::format::open_options& o)
    : name_(path) {
  const io::os::kind there = path == "-" ? io::os::kind::missing : io::os::facts_if_any(path).what;
  const auto* format = o.format;
  detail::require_listed(format, path);
  if (format == nullptr && there == io::os::kind::directory)
    format = detail::format_of_folder(path);
  if (!o.record && there == io::os::kind::directory && (format == nullptr || !format->is_folder()))
    if (auto in = detail::open_parts(path, o)) {
      open(std::move(*in), o);
      select(o);
      return;
    }
  // Let the first format whose traces are folders report why the folder is not a trace.
  if (format == nullptr && there == io::os::kind::directory) format = detail::first_of_folders();
  if (!o.record && format != nullptr && format->is_folder()) {
    format_ = format;
    formats::with(*format, [&path]<class D>() {
      if constexpr (tracecodec::format::with_folders<D>) D::require_folder(path);
    });
    select(o);
    return;
  }
  if (!o.record && o.format == nullptr && there != io::os::kind::missing)
    detail::refuse_part_of_folder(path);
  open(io::open_input(path, o.input), o);
  select(o);
}
TRACECODEC_FUNC source::source(io::input in, const tracecodec::format::open_options& o) {
  detail::require_listed(o.format, in.name());
  open(std::move(in), o);
  select(o);
}

TRACECODEC_FUNC void source::select(const tracecodec::format::open_options& o) {
  formats::with(*format_, [&]<class D>() {
    if constexpr (tracecodec::format::with_selection<D>)
      if (D::selects(o)) {
        tracecodec::format::opened all = take();
        D::select(all, o);
        input_ = std::move(all.input);
        record_ = std::move(all.record);
      }
  });
}

TRACECODEC_FUNC tracecodec::format::opened source::take() {
  tracecodec::format::opened all{.name = name_, .record = record_};
  if (!format_->is_folder()) {
    all.input = std::move(input());
    input_.reset();
  }
  return all;
}

// Sets the format and the table of a trace whose records `o.record` describes.
TRACECODEC_FUNC void source::describe(const std::string& name,
                                      const tracecodec::format::open_options& o) {
  format_ = &format_of_record(name, o);
  // Throw an error for a table without an ip.
  static_cast<void>(champsim::instruction_columns(*o.record, name, true));
  record_ = o.record;
}
TRACECODEC_FUNC void source::open(io::input in, const tracecodec::format::open_options& o) {
  if (tracepack::begins_like_a_pack(in.peek(tracepack::magic.size())))
    return open_packed(std::move(in), o);
  name_ = in.name();
  if (o.record) {
    describe(name_, o);
    input_.emplace(std::move(in));
    return;
  }
  if (o.format == nullptr)
    if (const auto* const t = detail::known_table_of(in)) {
      tracecodec::format::open_options as = o;
      as.record = std::make_shared<const file::record_table>(
          file::parse_record_table(t->text, std::string(t->name)));
      describe(name_, as);
      input_.emplace(std::move(in));
      return;
    }
  format_ = o.format != nullptr ? o.format : &recognise(in);
  if (format_->is_folder())
    throw trace_error(trace_errc::refused, {.file = name_},
                      tracecodec::format::trace_of(*format_, format_->title) + " is a folder");
  input_.emplace(std::move(in));
}

namespace detail {
// Reporter of damaged frames in a tracepack. It warns of each of the first five damaged frames. The
// destructor summarises the other damaged frames in one warning, because a crafted file can have a
// damaged frame every 48 bytes.
class lost_warnings {
 public:
  explicit lost_warnings(std::function<void(const std::string&)> warn) : warn_(std::move(warn)) {}
  lost_warnings(const lost_warnings&) = delete;
  lost_warnings& operator=(const lost_warnings&) = delete;
  ~lost_warnings() {
    if (frames_ <= most_named) return;
    try {
      warn_(file_ + ": and " + std::to_string(frames_ - most_named) +
            " more damaged frames skipped, with " + std::to_string(records_) + " records");
    } catch (...) {
      // The warning is lost, but the records are not.
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

TRACECODEC_FUNC tracepack::on_lost lost_of(const format::open_options& o) {
  if (const auto* const own = o.own.get<tracepack::on_lost>(); own != nullptr && *own) return *own;
  if (!o.repair) return {};
  if (!o.warn) return [](const tracepack::lost_records&) {};
  return [to = std::make_shared<detail::lost_warnings>(o.warn)](const tracepack::lost_records& e) {
    to->add(e);
  };
}

TRACECODEC_FUNC void source::open_packed(
    io::input in, [[maybe_unused]] const tracecodec::format::open_options& o) {
  name_ = in.name();
#if defined(TRACECODEC_WITH_ZSTD)
  lost_ = lost_of(o);
  pack_ = std::make_shared<tracepack::reader>(
      std::move(in), tracepack::reader_options{.lost = lost_, .threads = o.threads});
  about_ = std::make_shared<const tracepack::about>(pack_->about());
  const auto what = about_->kind;
  if (o.record || what == tracepack::record_kind::described) {
    tracecodec::format::open_options as = o;
    if (!o.record)
      as.record = std::make_shared<const file::record_table>(
          file::parse_record_table(about_->table, name_));
    // The table may describe a header before the records. A tracepack of records contains only the
    // records.
    if (what != tracepack::record_kind::bytes && as.record->header().size != 0)
      as.record = std::make_shared<const file::record_table>(as.record->with_header(0));
    return describe(name_, as);
  }
  if (o.format != nullptr)
    format_ = o.format;
  else if (what == tracepack::record_kind::bytes)
    try {
      format_ = &recognise(input());
    } catch (const trace_error& e) {
      if (e.code() != trace_errc::not_a_trace) throw;
      throw trace_error(e.code(), {.file = name_},
                        "is a tracepack file of bytes in an unknown trace format");
    }
  else
    format_ = what == tracepack::record_kind::cloudsuite ? &champsim::cloudsuite_descriptor::facts
                                                         : &champsim::descriptor::facts;
  if (format_->is_folder())
    throw trace_error(trace_errc::refused, {.file = name_},
                      tracecodec::format::trace_of(*format_, format_->title) + " is a folder");
#else
  throw trace_error(trace_errc::unsupported, {.file = name_},
                    "tracepack: this build cannot read it: it lacks zstd (TRACECODEC_WITH_ZSTD)");
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
  return format_->is_folder() || input_->rewindable();
}

TRACECODEC_FUNC void require_known_options(const source& from,
                                           const format::open_options& options) {
  const format::facts& f = from.format();
  const auto refuse = [&](std::string_view what) {
    std::string why(what);
    if (!what.starts_with("only ")) why = format::trace_of(f, f.name) + " has no " + why;
    throw trace_error(trace_errc::refused, {.file = from.name()}, why);
  };
  for (const format::facts* const other : formats::all)
    for (const format::option* const o : other->options)
      if (o->lacking != nullptr && !f.has(*o))
        if (const std::string_view what = o->lacking(options.own); !what.empty()) refuse(what);
  if (options.thread && !f.chooses_threads) refuse("threads to select");
  if (options.repair && !f.repairs && from.packed() == nullptr) refuse("defect to repair");
}

}  // namespace tracecodec::trace
