// The command line of trace_convert, and which conversion it means.
#include "convert_trace.hpp"

#include <tracecodec/trace/input_files.hpp>
#include <tracecodec/trace/reader.hpp>
#include <tracecodec/x64dbg/opens.hpp>

#include <cstdint>
#include <string>
#include <utility>

#include "../common/described.hpp"
#include "../common/open_trace.hpp"
#include "record_output.hpp"

namespace convert {

namespace {

using namespace examples;
namespace trace = tracecodec::trace;

// An output whose name says what is not written would be taken for what it is not.
void require_known_name(const options& o) {
  if (o.to || o.pack || o.content || o.rows || o.mode || is_folder(o.out)) return;
  require_form(o.out,
               {form::records, form::pack, form::cloudsuite, form::x64dbg32, form::x64dbg64,
                form::rapidbin, form::std, form::jsonl, form::csv},
               "; or name the format with --to");
}

// By --to, by --mode, or by OUT's name.
const format& wanted_format(const tracecodec::format::facts& from, const options& o) {
  return o.mode && o.to == nullptr ? format_named("x64dbg") : output_format(from, o.to, o.out);
}

void convert_as_asked(job of) {
  options& o = of.how;
  const io::codec compression = of.compression;
  if (o.content) {
    reading as = o.as;
    as.own.reset<tracecodec::tracepack::on_lost>();
    if (o.table || o.disassembly || o.guard_formulas || o.mode || o.dialect || o.renumber ||
        o.well_formed || o.snapshots != options().snapshots || as.thread || as.format ||
        as.record || !as.own.empty())
      throw usage_error(
          "--to content is what is packed, byte for byte: leave out what says how it is read, and "
          "how it is written");
    return unpack(o, compression);
  }
  take_own_table(o.in, o.as);
  if (o.rows && o.as.record) {
    require_row_options(o, format_named("champsim"));
    return described_to_rows(open_described(o.in, o.as), o, compression);
  }
  // A record's own fields are kept, unless another format is asked for.
  const auto pack_fields = [&o](tracecodec::file::table_reader from, const auto& before) {
    if (o.table || o.disassembly || o.guard_formulas || o.mode || o.dialect || o.renumber ||
        o.well_formed)
      throw usage_error(
          "--table, --disassembly, --guard-formulas, --mode, --dialect, --renumber and "
          "--well-formed are not for records of their own form in tracepack");
    pack_described(std::move(from), before, o);
  };
  if (is_packed(o) && o.as.record && !o.to)
    return pack_fields(open_described(o.in, o.as), about_of(o.in, o.as));
  if (has_shard(o.part)) {
    trace::source whole = open_trace(o.in, o.as, o.out);
    // A table of an UMTracer trace has other rows than the feed has instructions: who writes them
    // counts.
    if (whole.format().name != "umtracer" ||
        (!o.rows && wanted_format(whole.format(), o).name != "umtracer"))
      cut_out_shard(trace::reader(std::move(whole), o.as).count(), o.part);
  }
  trace::source in = open_trace(o.in, o.as, o.out);
  if (in.record() != nullptr) {
    require_no_events(o.as);
    trace::require_known_options(in, o.as);
  }
  if (is_packed(o) && in.record() != nullptr && !o.to && !o.as.format)
    return pack_fields({std::move(in.input()), in.record()},
                       in.packed() ? std::optional(*in.packed()) : std::nullopt);
  const format& from = in.format();
  if (!is_of_events(from)) require_no_events(o.as);
  if (o.guard_formulas && o.rows != row_form::csv)
    throw usage_error("--guard-formulas is for CSV: OUT is none");
  if (o.rows) return to_rows(std::move(in), o, compression);
  if (o.table || o.disassembly)
    throw usage_error("--table and --disassembly are for JSON lines and CSV: OUT is neither");
  const format& to = wanted_format(from, o);
  const bool described = in.record() != nullptr && is_of_records(to);
  if (!described && !convertible(from, to))
    throw usage_error(o.in + ", " + std::string(from.name) + ", cannot be written as " +
                      std::string(to.name) +
                      (o.to || o.mode ? "" : ", which OUT's name asks for: --to says another"));
  const bool of_events = is_of_events(to);
  if (o.mode && to.name != "x64dbg") throw usage_error("--mode is for x64dbg traces: OUT is none");
  if (o.dialect && to.name != "std") throw usage_error("--dialect is for STD text: OUT is none");
  if (o.renumber && !of_events)
    throw usage_error("--renumber is for RapidBin traces and STD text: OUT is neither");
  if (o.well_formed && !of_events)
    throw usage_error("--well-formed is for RapidBin traces and STD text: OUT is neither");
  if (from.name == "umtracer" && &to == &from) return copy_umtracer(in.name(), o);
  if (of_events) return to_events(std::move(in.input()), o, from, to, compression);
#if TRACECODEC_OPENS_X64DBG
  if (to.name == "x64dbg") return to_x64dbg(std::move(in.input()), o, compression);
  if (to.name == "umtracer") return to_umtracer(std::move(in.input()), o);
#endif
  if (described) return described_to_records(std::move(in), o, to, compression);
  if (is_of_records(from)) return copy_records(std::move(in), o, compression);
  to_champsim(std::move(in), o, to, compression);
}

// The damaged frames of a pack that --keep-whole goes on behind, whether they are in the part that is written or not.
class damaged_frames {
 public:
  // Returns how many there are now.
  std::uint64_t add(const tracecodec::tracepack::lost_records& e) {
    file_ = e.file();
    records_ += e.next - e.first;
    return ++frames_;
  }
  // Throws trace_error if there are some.
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
  command_line app(
      "Writes a trace again. OUT's name says how: .xz, .gz or .zst at its end compresses. Before "
      "that .champsim, .champsimtrace, .trace or no suffix stands for ChampSim records (those of "
      "CloudSuite if IN has such), .cloudsuite for CloudSuite's, .trace32 or .trace64 for an "
      "x64dbg "
      "trace, .tpack for records in tracepack, .data or .rapidbin for a RapidBin trace, .std for "
      "its text, .jsonl, .ndjson or .csv "
      "for rows of text, one for each record. The case of letters does not count; other suffixes "
      "are refused, unless --to names the format. A folder that is empty or new (then OUT ends in "
      "/) becomes an UMTracer trace, of an x64dbg trace or another UMTracer one, of which --skip, "
      "--limit and --thread count records. " +
          std::string(exit_statuses) + ".",
      "trace_convert");
  app.add_argument("IN", o.in, "The trace; - is standard input").required().type_name("");
  app.add_argument("OUT", o.out, "The new trace; - is standard output").required().type_name("");
  add_output_codec(app, o.compression);
  add_packing(app, o.packed_as);
  add_count(app, "--block-size", o.block_size,
            "Bytes of each xz block and zstd frame, or of records in a tracepack frame, before "
            "compression, 4096 to 1073741824 (default 4194304, of tracepack as many records): "
            "--skip and --shard read none of those that they leave out",
            4096, std::uint64_t{1} << 30);
  add_size(
      app, "--max-size", o.packing.most_bytes,
      "Bytes that OUT may have, or with K, M or G: it does not appear if it would have more. A "
      "small file may stand for very many records (default: no limit)");
  add_choice(
      app, "--to",
      {{"champsim", {}},
       {"cloudsuite", {}},
       {"tracepack", {"tpack"}},
       {"content", {}},
       {"x64dbg", {}},
       {"rapidbin", {}},
       {"std", {}},
       {"umtracer", {}},
       {"jsonl", {"ndjson"}},
       {"csv", {}}},
      [&o](const std::string& name) {
        o.to = trace::find_format(name);
        o.pack = name == "tracepack";
        o.content = name == "content";
        if (!o.to && !o.pack && !o.content) o.rows = rows_of_name("x." + name);
      },
      "Format of OUT, whatever its name; jsonl and csv are rows of text, content is what a "
      "tracepack "
      "has packed, byte for byte");
  add_choice(
      app, "--table", umtracer_tables(), [&o](const std::string& name) { o.table = name; },
      "Rows of text: which table of an UMTracer trace; exec is the default");
  app.add_flag("--disassembly", o.disassembly,
               "Rows of text: each instruction in Intel's syntax, too (x64dbg, UMTracer, tracepack "
               "with code)");
  app.add_flag("--guard-formulas", o.guard_formulas,
               "CSV: an apostrophe before text that a spreadsheet would take for a formula");
  add_choice(
      app, "--mode", {{"minimal", {}}, {"union", {}}, {"raw", {}}},
      [&o](const std::string& name) { o.mode = name; },
      "How an x64dbg trace is written: with the registers that changed, with those that "
      "x64dbg lists, or byte for byte (the usual way for a whole trace)");
  add_count(app, "--snapshots", o.snapshots,
            "In modes minimal and union: all registers every N instructions (default 512)", 1,
            0xFFFFFFFF);
  add_choice(
      app, "--dialect", {{"wasmgrind", {}}, {"rapid", {}}},
      [&o](const std::string& name) { o.dialect = name; },
      "How STD text is written: with requests, or as RAPID reads it, without requests "
      "and branches (default wasmgrind)");
  app.add_flag("--renumber", o.renumber,
               "RapidBin: number threads, locks, variables and locations anew, by first appearance "
               "in what is written");
  app.add_flag(
      "--well-formed", o.well_formed,
      "RapidBin: write a part as a trace of its own. An acquire at its begin for each lock "
      "that is held there, by its thread and at its location; without events that break a "
      "rule of trace_check, as releases of free locks do. --limit does not count what is "
      "added");
  add_own_options(app, o.as, option_use::choice);
  add_slice(app, o.part);
  add_shard(app, o.part);
  app.add_flag("--keep-whole", o.keep_whole,
               "Of a damaged trace write the records before the damage, of tracepack those around "
               "damaged frames, too; the exit status is 1 all the same");
  app.add_flag("--verbose", o.verbose, "Tell of each place that --repair mends, not of five");
  add_format(app, o.as);
  add_reading(app, o.as);
  if (!app.parse(line)) return std::nullopt;
  if (o.block_size) o.packing.block_size = static_cast<std::size_t>(*o.block_size);
  require_other_output(trace::input_files(o.in, o.as), o.out);
  const io::codec compression = o.compression ? *o.compression : compression_by_name(o.out);
  require_known_name(o);
  if (o.content && examples::output_name(o.out).says({form::pack}))
    throw usage_error(o.out + ": its name says tracepack, of which --to content is the content");
  if (is_packed(o) && compression != io::codec::none)
    throw usage_error(o.out + ": tracepack is compressed by itself");
  if (const char* const given = o.packed_as.given(); given != nullptr && !is_packed(o))
    throw usage_error(std::string(given) + " is for tracepack: OUT is none");
  if (!o.to && !o.pack && !o.content && !o.rows) o.rows = rows_of_name(o.out);
  if (o.block_size && compression != io::codec::xz && compression != io::codec::zstd &&
      !is_packed(o) && !is_folder(o.out))
    throw usage_error("--block-size is for .xz, .zst and .tpack: OUT is none of them");
  return job{o, compression};
}

}  // namespace convert
