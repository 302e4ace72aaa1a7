// Command line of trace_convert, and selection of the conversion.
#include "convert_trace.hpp"

#include <tracecodec/trace/input_files.hpp>
#include <tracecodec/trace/reader.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../common/described.hpp"
#include "../common/open_trace.hpp"
#include "format_conversion.hpp"
#include "pack_output.hpp"

namespace convert {

namespace {

using namespace examples;
namespace trace = tracecodec::trace;

// Throws usage_error if OUT's suffix selects a form that trace_convert cannot write. Another
// program would misinterpret a file with such a suffix.
void require_known_name(const options& o) {
  if (o.to || o.pack || o.content || o.rows || format_of_options(o.output) || is_folder(o.out))
    return;
  suffixes known;
  for (const format* const f : written_formats()) {
    add_suffixes(known, *f);
    // Add the tracepack suffix within the loop, so it follows the suffixes of the default format.
    add_suffixes(known, form::pack);
  }
  add_suffixes(known, form::jsonl);
  add_suffixes(known, form::csv);
  require_suffix(o.out, known, "; or name the format with --to");
}

// Returns OUT's format for a trace of format `from`. The option --to has the highest priority, then
// format-specific options, and then OUT's name.
const format& wanted_format(const format& from, const options& o) {
  if (o.to != nullptr) return *o.to;
  const format* const requested = format_of_options(o.output);
  return requested != nullptr ? *requested : format_of_name(from, o.out);
}

// Returns the conversion from format `from` to format `to`. The result's `write` is null if the
// conversion is not supported.
conversion_target target_of(const format& from, const format& to) {
  for (const conversion_target& t : conversion_of(from).targets)
    if (t.to == &to) return t;
  return {&to, from.family == to.family ? nullptr : conversion_of(to).from_any};
}

// Returns true if the conversion of a trace of format `from` applies --shard itself. If not, the
// caller must replace --shard with --skip and --limit.
bool cuts_shards(const format& from, const options& o) {
  return o.rows ? conversion_of(from).rows_cut_shards
                : target_of(from, wanted_format(from, o)).cuts_shards;
}

// Throws usage_error for options that do not apply to a tracepack of described records.
void require_no_output_options(const options& o) {
  std::string option = given_option(o.as.own, option_use::rows);
  if (option.empty()) option = given_option(o.output, option_use::output);
  if (o.disassembly) option = "--disassembly";
  if (o.guard_formulas) option = "--guard-formulas";
  if (!option.empty()) throw usage_error(option + " is not for described records in tracepack");
}

// Writes the content of a tracepack in unpacked form.
void unpack_content(const options& o, io::codec compression) {
  reading as = o.as;
  as.own.reset<tracecodec::tracepack::on_lost>();
  if (o.disassembly || o.guard_formulas || !o.output.empty() || as.thread || as.format ||
      as.record || !as.own.empty())
    throw usage_error(
        "--to content writes the packed bytes unchanged: leave out the options for reading and "
        "writing records");
  unpack(o, compression);
}

void convert_as_requested(job of) {
  options& o = of.how;
  const io::codec compression = of.compression;
  if (o.content) return unpack_content(o, compression);
  take_own_table(o.in, o.as);
  if (o.rows && o.as.record) {
    require_row_options(o, {});
    return described_to_rows(open_described(o.in, o.as), o, compression);
  }
  // If no other format is requested, records that a table describes keep their fields.
  if (is_packed(o) && o.as.record && !o.to) {
    require_no_output_options(o);
    return pack_described(open_described(o.in, o.as), about_of(o.in, o.as), o);
  }
  if (has_shard(o.part)) {
    trace::source whole = open_trace(o.in, o.as, o.out);
    if (!cuts_shards(whole.format(), o))
      cut_out_shard(trace::reader(std::move(whole), o.as).count(), o.part);
  }
  trace::source in = open_trace(o.in, o.as, o.out);
  const format& from = in.format();
  require_choices(o.as, from);
  if (in.record() != nullptr) trace::require_known_options(in, o.as);
  if (is_packed(o) && in.record() != nullptr && !o.to && !o.as.format) {
    require_no_output_options(o);
    return pack_described({std::move(in.input()), in.record()},
                          in.packed() ? std::optional(*in.packed()) : std::nullopt, o);
  }
  if (o.guard_formulas && o.rows != row_form::csv)
    throw usage_error("--guard-formulas is for CSV: OUT is not");
  if (o.rows) return to_rows(std::move(in), o, compression);
  const std::string table = given_option(o.as.own, option_use::rows);
  if (!table.empty() || o.disassembly)
    throw usage_error((table.empty() ? "--disassembly" : table) +
                      " is for JSON lines and CSV: OUT is neither");
  const format& to = wanted_format(from, o);
  const conversion_target target = target_of(from, to);
  auto* const write = in.record() != nullptr && conversion_of(to).from_described != nullptr
                          ? conversion_of(to).from_described
                          : target.write;
  if (write == nullptr)
    throw usage_error(o.in + ", " + std::string(from.name) + ", cannot be written as " +
                      std::string(to.name) +
                      (o.to || format_of_options(o.output)
                           ? ""
                           : ", the format of OUT's name: choose another with --to"));
  auto other_options = o.output;
  if (target.take_options != nullptr) target.take_options(other_options);
  require_own_options(other_options, option_use::output, to, "OUT");
  write(std::move(in), o, to, compression);
}

// Adds two kinds of notes to --help: the format that each suffix of OUT selects, and the notes of
// the individual formats.
void add_notes(command_line& app) {
  std::string table = "Suffixes of OUT (further suffixes .xz, .gz and .zst compress):\n";
  const auto row = [&table](const std::string& names, std::string_view what) {
    table += "  " + names + std::string(names.size() < 30 ? 30 - names.size() : 1, ' ') +
             std::string(what) + '\n';
  };
  suffixes seen;
  for (const format* const f : written_formats()) {
    const format_conversion& own = conversion_of(*f);
    if (!own.help.empty()) app.add_note(std::string(f->title), std::string(own.help));
    const std::size_t before = seen.size();
    add_suffixes(seen, *f);
    std::vector<std::string> names(seen.begin() + static_cast<std::ptrdiff_t>(before), seen.end());
    if (before == 0) names.emplace_back("none");
    if (before == seen.size()) continue;
    row(joined(names, ", "), own.output.empty() ? trace_of(*f, f->title) : std::string(own.output));
  }
  row(".tpack", "records in tracepack");
  row(".jsonl, .ndjson, .csv", "rows of text, one for each record");
  app.footer(table + "  other suffixes                refused, unless --to names the format");
}

// Returns the values that --to accepts.
choices output_formats() {
  choices all;
  bool packs = false;
  for (const format* const f : written_formats()) {
    if (!packs && conversion_of(*f).from_any == nullptr) {
      all.push_back({"tracepack", {"tpack"}});
      all.push_back({"content", {}});
      packs = true;
    }
    all.push_back({std::string(f->name), {}});
  }
  all.push_back({"jsonl", {"ndjson"}});
  all.push_back({"csv", {}});
  return all;
}

// Counter of damaged tracepack frames, which --keep-whole skips. The frames may be outside the part
// of the trace that is written.
class damaged_frames {
 public:
  // Counts a damaged frame. Returns the number of damaged frames so far.
  std::uint64_t add(const tracecodec::tracepack::lost_records& e) {
    file_ = e.file();
    records_ += e.next - e.first;
    return ++frames_;
  }
  // Throws trace_error if any frame was damaged.
  void refuse() const {
    if (frames_ == 0) return;
    throw tracecodec::trace_error(
        tracecodec::trace_errc::corrupt, {.file = file_},
        some(frames_, "damaged frame") + " left out, with " + some(records_, "record"));
  }

 private:
  std::string file_ = {};
  std::uint64_t frames_ = 0, records_ = 0;
};

}  // namespace

void convert_trace(job of) {
  damaged_frames lost;
  if (of.how.keep_whole)
    of.how.as.own.set<tracecodec::tracepack::on_lost>(examples::once_each(
        [&lost, warn = of.how.as.warn](const tracecodec::tracepack::lost_records& e) {
          if (lost.add(e) <= examples::most_named_frames && warn) warn(e.warning());
        }));
  convert_as_requested(std::move(of));
  lost.refuse();
}

std::optional<job> parse(const std::vector<std::string>& line) {
  options o;
  command_line app(
      "Converts a trace: to another format, compression or tracepack, to rows of JSON or CSV, or "
      "to "
      "a part or a repaired copy of itself.",
      "trace_convert");
  app.add_example("trace.champsimtrace.xz trace.tpack", "Pack a trace.");
  app.add_example("--skip 1000 -n 100 trace.trace64 part.csv",
                  "Write 100 instructions as rows for a spreadsheet.");
  app.exit_status(exit_statuses);
  add_notes(app);
  app.add_argument("IN", o.in, "The trace; - is standard input").required().type_name("");
  app.add_argument("OUT", o.out, "The new trace; - is standard output").required().type_name("");
  app.begin_group("Output");
  add_output_codec(app, o.compression);
  add_count(
      app, "--block-size", o.block_size,
      "Write xz blocks, zstd frames or tracepack frames of N uncompressed bytes, 4096 to "
      "1073741824 "
      "(default 4194304; for tracepack, as many records). --skip and --shard then read only the "
      "blocks that they need",
      4096, std::uint64_t{1} << 30);
  add_size(app, "--max-size", o.packing.most_bytes,
           "Write no OUT that is larger: bytes, or with K, M or G (default: no limit). A small "
           "input may "
           "expand to very many records");
  add_choice(
      app, "--to", output_formats(),
      [&o](const std::string& name) {
        o.to = trace::find_format(name);
        o.pack = name == "tracepack";
        o.content = name == "content";
        if (!o.to && !o.pack && !o.content) o.rows = rows_of_name("x." + name);
      },
      "Write this format, whatever OUT's name is. jsonl and csv are rows of text; content is the "
      "unpacked content of a tracepack");
  add_own_options(app, o.as, option_use::rows);
  app.add_flag("--disassembly", o.disassembly,
               "Add each instruction in Intel's syntax to rows of text (" +
                   disassembled_formats(", ") + ", tracepack with code)");
  app.add_flag("--guard-formulas", o.guard_formulas,
               "Put an apostrophe before CSV text that a spreadsheet would read as a formula");
  add_own_options(app, o.output, option_use::output);
  add_own_options(app, o.as, option_use::choice);
  app.begin_group("Output");
  app.add_flag("--keep-whole", o.keep_whole,
               "Write the records of a damaged trace that precede the damage (tracepack: all "
               "outside damaged frames); the exit status is still 1");
  app.add_flag("--verbose", o.verbose,
               "Report every place that --repair mends, not only the first five");
  add_slice(app, o.part);
  add_shard(app, o.part);
  add_packing(app, o.packed_as);
  add_format(app, o.as);
  add_reading(app, o.as);
  if (!app.parse(line)) return std::nullopt;
  if (o.block_size) o.packing.block_size = static_cast<std::size_t>(*o.block_size);
  require_other_output(trace::input_files(o.in, o.as), o.out);
  const io::codec compression = o.compression ? *o.compression : compression_by_name(o.out, o.to);
  require_known_name(o);
  if (o.content && examples::output_name(o.out).says(form::pack))
    throw usage_error(o.out +
                      ": the suffix means tracepack, but --to content writes the unpacked bytes: "
                      "choose another name");
  if (is_packed(o) && compression != io::codec::none)
    throw usage_error(o.out + ": tracepack is already compressed: leave out the other compression");
  if (const char* const given = o.packed_as.first_set_option(); given != nullptr && !is_packed(o))
    throw usage_error(std::string(given) + " is for tracepack: OUT is not a tracepack");
  if (!o.to && !o.pack && !o.content && !o.rows) o.rows = rows_of_name(o.out);
  if (o.block_size && compression != io::codec::xz && compression != io::codec::zstd &&
      !is_packed(o) && !is_folder(o.out))
    throw usage_error("--block-size is for .xz, .zst and .tpack: OUT has another suffix");
  return job{o, compression};
}

}  // namespace convert
