// trace_record: records the instructions that a program executes (Linux, x86-64; also 32-bit
// programs). Emulation by QEMU produces ChampSim records at millions of instructions per second.
// Single-stepping by ptrace is slower, but can also record an x64dbg trace with registers and
// memory.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/io/os/path.hpp>
#include <tracecodec/program/map.hpp>
#include <vector>

#include "../common/address.hpp"
#include "../common/command_line.hpp"
#include "../common/output_name.hpp"
#include "../common/x64dbg/width.hpp"
#include "ending.hpp"
#include "options.hpp"
#include "ptrace/engine.hpp"
#include "qemu/engine.hpp"
#include "summary.hpp"

namespace {

using namespace examples;
namespace io = tracecodec::io;
using record::options;

// Parses a place and adds it to o.places. Examples of `s` are "main", "main:3", "0x401000" and
// "0x401000:3". Returns false if `s` is invalid.
bool take_place(const std::string& s, bool begins, options& o) {
  record::place p;
  p.begins = begins;
  p.symbol = s;
  if (const std::size_t colon = s.rfind(':'); colon != std::string::npos)
    if (const auto count = count_of(s.substr(colon + 1))) {
      p.count = *count;
      p.symbol.resize(colon);
    }
  if (p.symbol.empty() || p.symbol.back() == ':' || p.count == 0) return false;
  p.address = number_of(p.symbol);
  if (p.address) p.symbol.clear();
  o.places.push_back(p);
  return true;
}

// Returns true if two outputs would be the same file, even if that file does not exist.
bool lead_to_one_place(const std::string& a, const std::string& b) {
  const auto place = [](const std::string& name) {
    std::error_code e;
    const auto all = std::filesystem::absolute(io::path_of(name), e);
    const auto found = e ? all : std::filesystem::weakly_canonical(all, e);
    return e ? std::filesystem::path(name) : found;
  };
  return io::same_file(a, b) || place(a) == place(b);
}

// Returns true if `o` sets an option that only the QEMU engine supports.
bool needs_qemu(const options& o) {
  return o.split_threads || o.follow_forks || o.markers || !o.places.empty() || o.every != 0 ||
         o.vectors || o.wants("cloudsuite");
}
// Returns true if OUT is an x64dbg trace. Only the ptrace engine records x64dbg traces.
bool needs_ptrace(const options& o) {
  return o.format ? *o.format == "x64dbg" : examples::x64dbg::width_of_name(o.out) != 0;
}

// Returns the suffixes of the outputs that the recording engines can write.
suffixes written_suffixes() {
  suffixes known;
  for (const char* const name : {"champsim", "cloudsuite", "x64dbg", "drmemtrace"}) {
    add_suffixes(known, *tracecodec::trace::find_format(name));
    // Add the tracepack suffix within the loop, so it follows the suffixes of the default format.
    add_suffixes(known, form::pack);
  }
  return known;
}

record::recorded_program record_by(options o) {
  const bool wants_ptrace = needs_ptrace(o), wants_qemu = needs_qemu(o);
  if (wants_ptrace && (wants_qemu || o.engine == "qemu"))
    throw usage_error(
        o.out + ": an x64dbg trace has registers and memory, which --engine qemu does not record" +
        (wants_qemu ? ", and --engine ptrace does not support the other options" : ""));
  if (wants_qemu && o.engine == "ptrace")
    throw usage_error(
        "--engine ptrace does not support --threads, --follow-forks, --markers, --start-at, "
        "--stop-at, --every, --bbv and CloudSuite records: use --engine qemu");
  o.recorded_by = "single steps";
  const std::string steps = "recorded by single steps (--engine ptrace), ";
  const record::qemu::found qemu = record::qemu::find(o);
  if (!qemu.foreign.empty() && (wants_ptrace || o.engine == "ptrace"))
    throw usage_error(o.command[0] + ": built for " + std::string(qemu.foreign) +
                      ": only --engine qemu runs it, and does not record x64dbg traces");
  if (wants_ptrace) {
    o.engine_reason = steps + "which also provide the registers and memory of an x64dbg trace";
    return record::record_by_steps(o);
  }
  if (o.engine == "ptrace") {
    o.engine_reason = steps + "as requested; --engine qemu is faster" +
                      (qemu.missing.empty() ? "" : ", but " + qemu.missing);
    return record::record_by_steps(o);
  }
  const bool must = wants_qemu || o.engine == "qemu" || !qemu.foreign.empty();
  std::string missing = qemu.missing;
  if (missing.empty()) {
    o.engine_reason = "recorded by " + qemu.emulator + " (--engine qemu), " +
                      (o.engine     ? "as requested"
                       : wants_qemu ? "the only engine that supports these options"
                                    : "which is fast; --engine ptrace needs nothing installed");
    o.recorded_by = qemu.emulator;
    try {
      return record::qemu::run(o, qemu);
    } catch (const record::qemu::not_loaded& e) {
      if (must) throw;
      missing = e.what();
    }
  }
  if (must) throw std::runtime_error("--engine qemu: " + missing);
  if (!o.quiet) record::say("note: " + steps + "which is slow: " + missing);
  o.engine_reason.clear();
  o.recorded_by = "single steps";
  return record::record_by_steps(o);
}

void add_notes(command_line& app) {
  app.add_note(
      "Formats",
      "OUT is an x64dbg trace if its name ends in .trace64 or .trace32, a drmemtrace trace if it "
      "ends in .drmemtrace, otherwise ChampSim or "
      "CloudSuite records: in tracepack if it ends in .tpack. A further suffix .xz, .gz or "
      ".zst compresses, and .drmemtrace.zip is an archive of chunks. .zst and .tpack are fast; .xz "
      "is smaller and a hundred times slower, "
      "so convert to it later with trace_convert.");
  app.add_note(
      "drmemtrace",
      "Traces have version 7 and the code of x86 instructions; other processors' have synthetic "
      "encodings of the registers (REGDEPS). Not recorded are system calls, signals, the cpu and "
      "the "
      "time: timestamps are numbers of instructions. Where a thread continues elsewhere, such as "
      "in a "
      "signal handler, there is a marker window_id. Without --threads, a file has several "
      "threads, like that of a core.");
  app.add_note("Engines",
               "QEMU emulates the processor and records millions of instructions a second. Single "
               "steps (ptrace) record ten thousand a second; x64dbg traces need them.");
  app.add_note(
      "The recorded program",
      "When all instructions are recorded, PROGRAM runs on unobserved. Ctrl-C (SIGINT), "
      "SIGTERM and SIGHUP kill PROGRAM; trace_record then writes what it recorded, and dies "
      "by the signal. Addresses are the same in each run. A program that ignores SIGTRAP, or "
      "steps itself, may notice single steps.");
  app.add_note(
      "OUT.maps.json",
      "This file next to the trace lists the addresses of modules and the names of functions "
      "for the other programs. Its name is that of OUT without .xz, .gz or .zst.");
}

int start(int argc, char** argv) {
  options o;
  std::string vectors;
  command_line app(
      "Runs a program and records the instructions that it executes as a trace: ChampSim or "
      "CloudSuite records, a drmemtrace trace, or an x64dbg trace with registers and memory.",
      "trace_record");
  app.add_example("-o sort.champsimtrace.zst -t 10000000 -- sort words.txt",
                  "Record the first ten million instructions as ChampSim records.");
  app.add_example("-o ls.trace64 --start-at main -t all -- ls -l",
                  "Record registers and memory from main() to the end of the program.");
  app.exit_status(
      "that of PROGRAM, or 128 plus the number of the signal that ended it; 125 if trace_record "
      "itself fails");
  add_notes(app);
  app.begin_group("Output");
  app.add_argument("-o", o.out, "Write the trace to OUT, whose name selects the format")
      .required()
      .type_name("OUT");
  app.begin_group("Selection");
  add_count(app, "-s,--skip", o.skip, "Skip the first N instructions");
  add_most(app, "-t,-n,--limit", o.count,
           "Record N instructions, or all to the end of the program (default 1000000)");
  app.begin_group("Output");
  add_choice(
      app, "--format", {{"champsim", {}}, {"cloudsuite", {}}, {"drmemtrace", {}}, {"x64dbg", {}}},
      [&o](const std::string& name) { o.format = name; },
      "Write this format, whatever OUT's name is");
  app.begin_group("Engine");
  add_choice(
      app, "--engine", {{"qemu", {}}, {"ptrace", {}}},
      [&o](const std::string& name) { o.engine = name; },
      "Run PROGRAM in QEMU or by single steps (default: qemu for records, if it is installed)");
  app.begin_group("Selection");
  const auto add_place = [&](const char* name, bool begins, const char* text) {
    add_values(
        app, name, "PLACE[:N]",
        [&o, begins](const std::string& s) { return take_place(s, begins, o); }, text,
        "a function or an address");
  };
  add_place("--start-at", true,
            "Start recording when the function or address PLACE is executed (for the Nth time)");
  add_place("--stop-at", false, "Stop recording when PLACE is executed");
  app.add_flag("--markers", o.markers, "Record between the markers of tracecodec/roi.h");
  add_count(app, "--every", o.every,
            "Record the first instructions of every N, counted after --skip", 1);
  add_count(app, "--length", o.length, "Record this many of every N instructions (--every)", 1);
  app.begin_group("Output");
  app.add_flag("--threads", o.split_threads,
               "Write a file for each thread: x.champsim, x.thread2.champsim and so on");
  app.add_flag("--follow-forks", o.follow_forks,
               "Record child processes, too, in x.process2.champsim and so on");
  app.add_argument("--bbv", vectors, "Write basic-block vectors, as SimPoint reads them")
      .type_name("FILE");
  const option interval =
      add_count(app, "--interval", o.interval,
                "Write a vector of --bbv for every N instructions (default 10000000)", 1);
  app.add_flag("--no-maps", o.no_maps, "Do not write OUT.maps.json");
  app.add_flag("-q,--quiet", o.quiet, "Print only errors");
  add_packing(app, o.packed_as);
  app.add_argument("PROGRAM", o.command, "The program and its arguments, after --")
      .required()
      .type_name("ARGS");
  const std::vector<std::string> line(argv, argv + argc);
  if (!app.parse(line)) return 0;
  if (!vectors.empty()) o.vectors = vectors;
  if (interval.count() != 0 && !o.vectors) throw usage_error("--interval needs --bbv");
  if (o.count == 0)
    throw usage_error("--limit 0 records nothing: --limit all records to the program's end");
  if (o.vectors && o.count < o.interval)
    throw usage_error("--bbv: --limit " + std::to_string(o.count) +
                      " is less than an --interval of " + std::to_string(o.interval) +
                      ": --limit all goes to the program's end");
  if ((o.every == 0) != (o.length == 0)) throw usage_error("--every and --length need each other");
  if (o.length > o.every) throw usage_error("--length is more than --every");
  constexpr std::size_t most_places = 16;
  if (o.places.size() > most_places)
    throw usage_error("--start-at and --stop-at: more than " + std::to_string(most_places) +
                      " places");
#if !defined(TRACECODEC_WITH_LIBDW)
  for (const record::place& p : o.places)
    if (!p.symbol.empty())
      throw usage_error(
          p.symbol +
          ": functions by name need libdw, which this build lacks (TRACECODEC_WITH_LIBDW)");
#endif
  if (o.out == "-") throw usage_error("OUT is a file: standard output is the program's");
  if (o.vectors && !is_device(*o.vectors))
    for (const std::string& out : {o.out, tracecodec::maps_path(o.out)})
      if (lead_to_one_place(*o.vectors, out))
        throw usage_error("--bbv " + *o.vectors + " is the same file as " + out +
                          ": choose another one");
  for (const std::string& out : {o.out, tracecodec::maps_path(o.out)})
    if (o.command[0].find('/') != std::string::npos && io::same_file(o.command[0], out))
      throw usage_error(out + " is the same file as " + o.command[0] +
                        ", the program: choose another output");
  // Throws if the suffix selects a compression that is supported only for reading.
  const io::codec compression =
      compression_by_name(o.out, o.format ? tracecodec::trace::find_format(*o.format) : nullptr);
  const bool packed = output_name(o.out).says(form::pack);
  if (packed && compression != io::codec::none)
    throw usage_error(o.out + ": tracepack is already compressed: leave out the other compression");
  if (packed && o.wants("drmemtrace"))
    throw usage_error(o.out + ": tracepack does not store drmemtrace records");
  if (const char* const given = o.packed_as.first_set_option(); given != nullptr && !packed)
    throw usage_error(std::string(given) + " is for .tpack: OUT has another suffix");
  if ((o.split_threads || o.follow_forks) && is_device(o.out))
    throw usage_error(o.out + ": --threads and --follow-forks make several files");
  // Without --format, allow only the known suffixes. Other programs would misinterpret a file whose
  // name implies another form.
  if (!o.format) require_suffix(o.out, written_suffixes(), "; or name the format with --format");

  // record_by() completes the trace. Only then does exit_status_of() wait for the program to end.
  return record::exit_status_of(record_by(o));
}

}  // namespace

int main(int argc, char** argv) {
  const int code = examples::run(
      "trace_record", [&] { return start(argc, argv); }, record::exit_failed, record::exit_failed);
  if (record::ended_by != 0) record::die_by(record::ended_by);
  return code;
}
