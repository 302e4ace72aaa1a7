#include "view_trace.hpp"

#include <tracecodec/format/facts.hpp>
#include <tracecodec/io/error.hpp>
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/trace/about.hpp>
#include <tracecodec/trace/places.hpp>
#include <tracecodec/trace/reader.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "../common/described.hpp"
#include "../common/open_trace.hpp"
#include "../common/output.hpp"
#include "../common/progress.hpp"
#include "../common/text.hpp"
#include "described_rows.hpp"
#include "format_view.hpp"
#include "layouts.hpp"
#include "show_statistics.hpp"
#include "statement_rows.hpp"
#if defined(TRACECODEC_WITH_ZSTD)
#include <tracecodec/tracepack/recognise.hpp>

#include "tracepack/show_pack.hpp"
#endif

namespace view {

namespace {

using namespace examples;
namespace feed = tracecodec::feed;
namespace trace = tracecodec::trace;

// Prints the rows of a trace. If an error occurs, prints the rows read so far, then throws.
void show_rows(trace::source from, const options& o) {
  const bool described = from.record() != nullptr;
  const bool counts_lost = described || view_of(from.format()).counts_dropped_operands;
  shown_trace all = show(std::move(from), o.trace, o.as, o.besides);
  trace::reader& trace = all.columns;
  pipeline part = o.part;
  if (has_shard(part)) cut_out_shard(trace.count(), part);
  if (o.limit != everything) part.limit = std::min(o.limit, part.limit.value_or(o.limit));
  // Request the column of dropped operands only if the format's rows can lack operands.
  if (counts_lost) trace.want({feed::column::dropped_operands});

  output out;
  std::exception_ptr failure;
  std::uint64_t shown = 0, clipped = 0;
  {
    const form form = form_of(o);
    progress_line progress(o.trace, true);
    try {
      go_to(trace, part);
      for (feed::columns batch; trace.next(batch); progress.at(trace.progress())) {
        const auto lost = batch.dropped_operands();
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
  // JSON lines contain all operands, so the note is unnecessary.
  if (clipped != 0 && !o.as_json)
    note("trace_view", some(clipped, "instruction") +
                           (described ? " had register numbers above 255, which are not shown"
                                      : " had more operands than a ChampSim record holds"));
  if (failure) std::rethrow_exception(failure);
}

// Throws usage_error for options that do not apply to records that a table describes.
void require_fields_alone(const options& o) {
  if (chooses_rows(o.as.own) || o.besides.memory || o.besides.effects ||
      !o.besides.registers.empty())
    throw usage_error(row_options() +
                      ", --registers, --effects and --memory are not for described records");
}

// Returns the modules and symbols for resolving the addresses in described records. Throws
// usage_error if the options specify modules or symbols but the records have no addresses.
tracecodec::program_map places_of(const described_rows& rows, const std::string& name,
                                  const options& o) {
  if (rows.has_ip()) return trace::places_of(name, tracecodec::format::facts{}, o.as);
  if (o.as.maps || !o.as.symbols.empty())
    throw usage_error("--maps and --symbols need records with an ip");
  return {};
}

// Prints the fields of records that a table describes.
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

// Returns the message that format `f` is text and has no layout. If the same family includes a
// binary format, the message suggests that format.
std::string no_layout_of(const tracecodec::format::facts& f) {
  std::string why = "--layout: " + std::string(f.name) + " is text, whose lines have no layout";
  for (const auto* const other : trace::all_formats())
    if (other->family == f.family && !other->is_text)
      return why + " (" + std::string(other->name) + " has one)";
  return why;
}

// Calls f(option) for each option that selects one of the tables in a trace.
template <class F> void for_each_row_option(F f) {
  for (const auto* const format : trace::all_formats())
    for (const auto* const own : format->options)
      if (own->use == option_use::rows) f(*own);
}

}  // namespace

bool chooses_rows(const tracecodec::format::own_options& given) {
  bool any = false;
  for_each_row_option([&](const auto& own) { any |= own.is_set != nullptr && own.is_set(given); });
  return any;
}

std::string row_options() {
  std::vector<std::string_view> seen;
  std::string all;
  for_each_row_option([&](const auto& own) {
    if (std::find(seen.begin(), seen.end(), own.name) != seen.end()) return;
    seen.push_back(own.name);
    (all += all.empty() ? "--" : ", --") += own.name;
  });
  return all;
}

void print_layout(const options& o) {
  const auto print_table = [&o](const std::string& table) {
    if (o.form != "text")
      throw usage_error("--layout: records that a table describes can only be printed as text");
    print(table);
  };
  if (o.as.record) return print_table(o.as.record->text());
  const auto* format = o.as.format != nullptr ? o.as.format : trace::all_formats().front();
  if (const auto* const named = trace::find_format(o.trace)) {
    format = named;
  } else if (!o.trace.empty()) {
    if (const auto about = about_of(o.trace, o.as); about && !about->table.empty())
      return print_table(about->table);
    trace::source from = open_trace(o.trace, o.as);
    if (from.record() != nullptr) return print_table(from.record()->text());
    return print(print_layouts(std::move(from), o.form));
  }
  if (format->is_text) throw usage_error(no_layout_of(*format));
  print(print_layouts(*format, o.form));
}

namespace {

// Prints the statements that a trace contains about itself. The trace must not be a tracepack.
void show_statements(trace::source from, const options& o) {
  statement_rows rows(from.name(), o.as_json);
  rows.text("format", std::string(from.format().name));
  // The statements come from a header, which can contain any key, even "format". Rename that key,
  // because the first line already has the name "format".
  for (const tracecodec::format::statement& s : trace::about(std::move(from)))
    rows.text(s.name == "format" ? "header_format" : s.name.c_str(), s.value);
  rows.finish();
}

// Prints the statements that a trace of any kind contains about itself.
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
  require_own_options(o.as.own, option_use::rows, from.format(), "");
  const auto show_table = view_of(from.format()).show_table;
  if (show_table != nullptr && !o.statistics) {
    if (o.part.part) throw usage_error("--shard is for instructions, not for a table: choose -s");
    return show_table(std::move(from), o);
  }
  if (chooses_rows(o.as.own)) throw usage_error("-s is for instructions, not for a table");
  if (o.statistics) {
    trace::reader trace(std::move(from), o.as);
    return show_statistics(trace, o);
  }
  show_rows(std::move(from), o);
}

}  // namespace view
