// Command line of trace_convert and selection of the conversion.
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

// Throws usage_error if OUT's suffix belongs to a form that trace_convert cannot write. Other
// programs would misinterpret a file with such a suffix.
void require_known_name(const options& o) {
  if (o.to || o.pack || o.content || o.rows || format_of_options(o.output) || is_folder(o.out))
    return;
  suffixes known;
  for (const format* const f : written_formats()) {
    add_suffixes(known, *f);
    // The tracepack suffix follows the suffixes of the default format.
    add_suffixes(known, form::pack);
  }
  add_suffixes(known, form::jsonl);
  add_suffixes(known, form::csv);
  require_suffix(o.out, known, "; or name the format with --to");
}

// Returns OUT's format for a trace of format `from`. The format is set by --to, otherwise by a
// format-specific option, otherwise by OUT's name.
const format& wanted_format(const format& from, const options& o) {
  if (o.to != nullptr) return *o.to;
  const format* const asked = format_of_options(o.output);
  return asked != nullptr ? *asked : format_of_name(from, o.out);
}

// Returns the conversion from format `from` to format `to`. The result's `write` is null if the
// conversion is not supported.
conversion_target target_of(const format& from, const format& to) {
  for (const conversion_target& t : conversion_of(from).targets)
    if (t.to == &to) return t;
  return {&to, from.family == to.family ? nullptr : conversion_of(to).from_any};
}

// Returns true if the conversion of a trace of format `from` applies --shard itself.
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

// Unpacks a tracepack to its content.
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

void convert_as_asked(job of) {
  options& o = of.how;
  const io::codec compression = of.compression;
  if (o.content) return unpack_content(o, compression);
  take_own_table(o.in, o.as);
  if (o.rows && o.as.record) {
    require_row_options(o, {});
    return described_to_rows(open_described(o.in, o.as), o, compression);
  }
  // Described records keep their fields unless another format is requested.
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
  auto* const write = in.record() != nullptr && conversion_of(to).from_described != nullptr
                          ? conversion_of(to).from_described
                          : target_of(from, to).write;
  if (write == nullptr)
    throw usage_error(o.in + ", " + std::string(from.name) + ", cannot be written as " +
                      std::string(to.name) +
                      (o.to || format_of_options(o.output)
                           ? ""
                           : ", the format of OUT's name: choose another with --to"));
  require_own_options(o.output, option_use::output, to, "OUT");
  write(std::move(in), o, to, compression);
}

// Returns the introduction of --help, which includes the list of suffixes.
std::string help_text() {
  std::string text =
      "Converts a trace. OUT's name selects how: .xz, .gz or .zst at its end compresses. Before "
      "that ";
  std::string more;
  suffixes seen;
  for (const format* const f : written_formats()) {
    const format_conversion& own = conversion_of(*f);
    if (!own.help.empty()) (more += ' ') += own.help;
    const std::size_t before = seen.size();
    add_suffixes(seen, *f);
    std::vector<std::string> names(seen.begin() + static_cast<std::ptrdiff_t>(before), seen.end());
    if (before == 0) names.emplace_back("no suffix");
    if (before == seen.size()) continue;
    text += joined(names, " or ") + (before == 0 ? " stands for " : " for ") +
            (own.output.empty() ? trace_of(*f, f->title) : std::string(own.output)) + ", ";
  }
  return text +
         ".tpack for records in tracepack, .jsonl, .ndjson or .csv for rows of text, one for each "
         "record. Upper and lower case are the same; other suffixes are refused, unless --to names "
         "the format." +
         more + ' ' + std::string(exit_statuses) + '.';
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

// Counter of damaged tracepack frames, which --keep-whole skips. The frames are not necessarily in
// the part that is written.
class damaged_frames {
 public:
  // Adds a frame. Returns the number of frames so far.
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
  convert_as_asked(std::move(of));
  lost.refuse();
}

std::optional<job> parse(const std::vector<std::string>& line) {
  options o;
  command_line app(help_text(), "trace_convert");
  app.add_argument("IN", o.in, "The trace; - is standard input").required().type_name("");
  app.add_argument("OUT", o.out, "The new trace; - is standard output").required().type_name("");
  add_output_codec(app, o.compression);
  add_packing(app, o.packed_as);
  add_count(app, "--block-size", o.block_size,
            "Uncompressed bytes of each xz block, zstd frame or tracepack frame, 4096 to "
            "1073741824 (default 4194304, for tracepack as many records): --skip and --shard do "
            "not read the blocks that they leave out",
            4096, std::uint64_t{1} << 30);
  add_size(app, "--max-size", o.packing.most_bytes,
           "Largest size of OUT in bytes, or with K, M or G: a larger OUT is not written. A small "
           "input may expand to very many records (default: no limit)");
  add_choice(
      app, "--to", output_formats(),
      [&o](const std::string& name) {
        o.to = trace::find_format(name);
        o.pack = name == "tracepack";
        o.content = name == "content";
        if (!o.to && !o.pack && !o.content) o.rows = rows_of_name("x." + name);
      },
      "Format of OUT, overriding its name; jsonl and csv are rows of text, content is the packed "
      "bytes of a tracepack, unchanged");
  add_own_options(app, o.as, option_use::rows);
  app.add_flag("--disassembly", o.disassembly,
               "Rows of text: add each instruction in Intel's syntax (" + formats_with_code(", ") +
                   ", tracepack with code)");
  app.add_flag("--guard-formulas", o.guard_formulas,
               "CSV: put an apostrophe before text that a spreadsheet would read as a formula");
  add_own_options(app, o.output, option_use::output);
  add_own_options(app, o.as, option_use::choice);
  add_slice(app, o.part);
  add_shard(app, o.part);
  app.add_flag("--keep-whole", o.keep_whole,
               "Write the records of a damaged trace that precede the damage (tracepack: all "
               "outside damaged frames); the exit status is still 1");
  app.add_flag("--verbose", o.verbose, "Report every place that --repair mends, not only five");
  add_format(app, o.as);
  add_reading(app, o.as);
  if (!app.parse(line)) return std::nullopt;
  if (o.block_size) o.packing.block_size = static_cast<std::size_t>(*o.block_size);
  require_other_output(trace::input_files(o.in, o.as), o.out);
  const io::codec compression = o.compression ? *o.compression : compression_by_name(o.out);
  require_known_name(o);
  if (o.content && examples::output_name(o.out).says(form::pack))
    throw usage_error(o.out +
                      ": the suffix means tracepack, but --to content writes the unpacked bytes: "
                      "choose another name");
  if (is_packed(o) && compression != io::codec::none)
    throw usage_error(o.out + ": tracepack is already compressed: leave out the other compression");
  if (const char* const given = o.packed_as.given(); given != nullptr && !is_packed(o))
    throw usage_error(std::string(given) + " is for tracepack: OUT is not a tracepack");
  if (!o.to && !o.pack && !o.content && !o.rows) o.rows = rows_of_name(o.out);
  if (o.block_size && compression != io::codec::xz && compression != io::codec::zstd &&
      !is_packed(o) && !is_folder(o.out))
    throw usage_error("--block-size is for .xz, .zst and .tpack: OUT is none of them");
  return job{o, compression};
}

}  // namespace convert
