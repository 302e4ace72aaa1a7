#include "view_trace.hpp"

#include <tracecodec/io/error.hpp>
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/trace/about.hpp>
#include <tracecodec/trace/places.hpp>
#include <tracecodec/trace/reader.hpp>
#if defined(TRACECODEC_WITH_ZSTD)
#include <tracecodec/tracepack/reader.hpp>
#include <tracecodec/tracepack/recognise.hpp>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "../common/described.hpp"
#include "../common/json.hpp"
#include "../common/open_trace.hpp"
#include "../common/output.hpp"
#include "../common/progress.hpp"
#include "../common/text.hpp"
#include "described_rows.hpp"
#include "layouts.hpp"
#include "show_statistics.hpp"
#include "umtracer_view.hpp"

namespace view {

namespace {

using namespace examples;
namespace feed = tracecodec::feed;
namespace trace = tracecodec::trace;

// What was read before an error is printed before the error is.
void show_rows(trace::source from, const options& o) {
  const bool blocks = from.format().name == "x64dbg", described = from.record() != nullptr;
  shown_trace all = show(std::move(from), o.trace, o.as, o.besides);
  trace::reader& trace = all.columns;
  pipeline part = o.part;
  if (has_shard(part)) cut_out_shard(trace.count(), part);
  if (o.limit != everything) part.limit = std::min(o.limit, part.limit.value_or(o.limit));
  // Of others all operands are shown.
  if (blocks || described) trace.want({feed::column::lost_operands});

  output out;
  std::exception_ptr failure;
  std::uint64_t shown = 0, clipped = 0;
  {
    const form form = form_of(o);
    progress_line progress(o.trace, true);
    try {
      go_to(trace, part);
      for (feed::columns batch; trace.next(batch); progress.at(trace.progress())) {
        const auto lost = batch.lost_operands();
        for (std::size_t row = 0; row != batch.size(); ++row) {
          all.rows->add(out.text, form, batch.first() + row, row, all.places);
          clipped += !lost.empty() && lost[row] != 0;
          ++shown;
          out.passed();
        }
      }
    } catch (const tracecodec::trace_error&) {
      failure = std::current_exception();
    }
  }
  if (!failure && shown == 0 && o.limit != 0) require_something(trace.name(), o.as, o.part);
  out.finish();
  if (clipped != 0 && !o.as_json)  // a line of JSON has the block's own operands
    note("trace_view", some(clipped, "instruction") +
                           (described ? " had registers with numbers above 255, which are not shown"
                                      : " had more operands than a ChampSim record holds"));
  if (failure) std::rethrow_exception(failure);
}

// Throws usage_error for what records that a table describes do not have.
void require_fields_alone(const options& o) {
  if (o.table || o.besides.memory || o.besides.effects || !o.besides.registers.empty())
    throw usage_error(
        "--table, --registers, --effects and --memory are not for records of their own form");
}

// What addresses of described records are called. Throws usage_error if they have none.
tracecodec::program_map places_of(const described_rows& rows, const std::string& name,
                                  const options& o) {
  if (rows.has_ip()) return trace::places_of(name, *trace::find_format("champsim"), o.as);
  if (o.as.maps || !o.as.symbols.empty())
    throw usage_error("--maps and --symbols are for records that have an ip: these have none");
  return {};
}

// The fields of records that a table describes, whatever they are.
void show_described(tracecodec::file::table_reader trace, const options& o) {
  require_fields_alone(o);
  output out;
  std::uint64_t shown = 0;
  const described_rows rows(trace.table());
  const tracecodec::program_map places = places_of(rows, trace.name(), o);
  const auto failure =
      for_each_described(trace, o.as, o.part, o.limit, [&](std::uint64_t index, const auto* bytes) {
        rows.add(out.text, form_of(o), index, bytes, places);
        ++shown;
        out.passed();
      });
  if (!failure && shown == 0 && o.limit != 0) require_something(o.trace, o.as, o.part);
  out.finish();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

void print_layout(const options& o) {
  const auto print_table = [&o](const std::string& table) {
    if (o.form != "text")
      throw usage_error("--layout: records that a table describes have the form text alone");
    print(table);
  };
  if (o.as.record) return print_table(o.as.record->text());
  const auto* format = o.as.format != nullptr ? o.as.format : trace::find_format("champsim");
  if (const auto* const named = trace::find_format(o.trace)) {
    format = named;
  } else if (!o.trace.empty()) {
    if (const auto about = about_of(o.trace, o.as); about && !about->table.empty())
      return print_table(about->table);
    trace::source from = open_trace(o.trace, o.as);
    if (from.record() != nullptr) return print_table(from.record()->text());
    return print(print_layouts(std::move(from), o.form));
  }
  if (format->name == "std")
    throw usage_error("--layout: std is lines of text, which have none (rapidbin has)");
  print(print_layouts(*format, o.form));
}

namespace {

// Rows of names and values, or one JSON object.
class statement_rows {
 public:
  statement_rows(const std::string& file, bool as_json) : as_json_(as_json) {
    if (as_json_)
      json_.object();
    else
      out_.text += printable(file) + '\n';
  }
  // An empty text is left out.
  void text(const char* name, const std::string& s) {
    if (s.empty()) return;
    if (as_json_) {
      json_.key(name).string(s);
    } else {
      add_label(out_.text, name);
      out_.text += printable(s) + '\n';
    }
  }
  void number(const char* name, std::uint64_t n) {
    if (as_json_)
      json_.key(name).number(n);
    else
      text(name, std::to_string(n));
  }
  void finish() {
    if (as_json_) json_.end_object();
    out_.text += '\n';
    out_.finish();
  }

 private:
  bool as_json_;
  output out_ = {};
  json json_{out_.text};
};

// Shows what a trace that is not packed states of itself.
void show_statements(trace::source from, const options& o) {
  statement_rows rows(from.name(), o.as_json);
  rows.text("format", std::string(from.format().name));
  for (const tracecodec::format::statement& s :
       trace::about(std::move(from)))  // an x64dbg header may have any key
    rows.text(s.name == "format" ? "header_format" : s.name.c_str(), s.value);
  rows.finish();
}

#if defined(TRACECODEC_WITH_ZSTD)
void show_pack(tracecodec::tracepack::reader from, const options& o) {
  namespace tracepack = tracecodec::tracepack;
  const tracepack::about& about = from.about();
  constexpr std::array<const char*, 4> kinds{"champsim", "cloudsuite", "described", "bytes"};
  constexpr std::array<const char*, 5> processors{"", "x86_64", "x86_32", "aarch64", "riscv64"};
  const auto at = [](const auto& names, auto value) {
    return std::string(names[std::min(static_cast<std::size_t>(value), names.size() - 1)]);
  };
  statement_rows rows(from.name(), o.as_json);
  rows.text("kind", at(kinds, about.kind));
  rows.number("record_size", about.shape.size);
  if (from.from().rewindable()) {
    rows.number("records", from.content_size() / about.shape.size);
    rows.number("frames", from.frame_count());
  }
  std::string known;
  for (const auto& [bit, name] :
       {std::pair{tracepack::has_classes, "classes"}, std::pair{tracepack::has_lengths, "lengths"},
        std::pair{tracepack::has_code, "code"}})
    if ((about.properties & bit) != 0) known += (known.empty() ? "" : ", ") + std::string(name);
  rows.text("properties", known);
  rows.text("processor", at(processors, about.processor));
  for (const tracecodec::format::statement& s : trace::about(about))
    rows.text(s.name.c_str(), s.value);
  rows.finish();
  if (from.from().compression() == tracecodec::io::codec::none && from.has_index() == false)
    throw tracecodec::trace_error(
        tracecodec::trace_errc::truncated, {.file = from.name()},
        std::string("has no sound index, as it was cut or damaged: what is counted are the frames "
                    "before") +
            (from.frame_count() != 0 ? "; trace_convert --repair writes it anew" : ""));
}
#endif

// Shows what a trace states of itself.
void show_about(const options& o) {
#if defined(TRACECODEC_WITH_ZSTD)
  namespace tracepack = tracecodec::tracepack;
  std::error_code ignored;
  if (!std::filesystem::is_directory(tracecodec::io::path_of(o.trace), ignored)) {
    tracecodec::io::input in = tracecodec::io::open_input(o.trace, o.as.input);
    if (tracepack::begins_like_a_pack(in.peek(tracepack::magic.size())))
      return show_pack(tracepack::reader(std::move(in)), o);
    return show_statements(trace::source(std::move(in), o.as), o);
  }
#endif
  show_statements(open_trace(o.trace, o.as), o);
}

}  // namespace

void view_trace(options o) {
  if (o.about) return show_about(o);
  take_own_table(o.trace, o.as);
  if (o.as.record) require_fields_alone(o);
  const bool fields = !o.compact && !o.statistics;
  if (o.as.record && fields) return show_described(open_described(o.trace, o.as), o);
  trace::source from = open_trace(o.trace, o.as);
  if (from.record() != nullptr && fields) {
    trace::require_known_options(from, o.as);
    return show_described({std::move(from.input()), from.record()}, o);
  }
  if (from.format().name == "umtracer" && !o.statistics) {
    if (o.part.part) throw usage_error("--shard is of instructions, not of a table: choose -s");
    return show_table(from.name(), o);
  }
  if (o.table && from.format().name == "umtracer")
    throw usage_error("-s is of the instructions, not of a table");
  if (o.table) throw usage_error("--table is for UMTracer traces");
  if (o.statistics) {
    const bool events = !from.format().has_addresses;
    trace::reader trace(std::move(from), o.as);
    return show_statistics(trace, events, o);
  }
  show_rows(std::move(from), o);
}

}  // namespace view
