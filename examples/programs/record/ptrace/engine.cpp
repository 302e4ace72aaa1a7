#include "engine.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <tracecodec/champsim/writer.hpp>
#include <tracecodec/io/os/os.hpp>
#include <tracecodec/io/text/utf8.hpp>
#include <tracecodec/trace/reader.hpp>
#include <tracecodec/trace/records.hpp>
#include <tracecodec/x64dbg/writer.hpp>
#include <utility>
#include <vector>

#include "../../common/interrupt.hpp"
#include "../../common/output_name.hpp"
#include "../../common/text.hpp"
#include "../../common/x64dbg/width.hpp"
#include "../../convert/champsim/column_records.hpp"
#include "../../convert/champsim/losses.hpp"
#include "../../convert/drmemtrace/column_rows.hpp"
#include "../ending.hpp"
#include "../maps_file.hpp"
#include "../packed.hpp"
#include "../summary.hpp"
#include "first_state.hpp"
#include "recorder.hpp"

namespace record {

namespace {

namespace champsim = tracecodec::champsim;
namespace io = tracecodec::io;
namespace tracepack = tracecodec::tracepack;
namespace x64dbg = tracecodec::x64dbg;
using examples::interrupted;
using examples::usage_error;
using x64dbg::target;

// Temporary folder that only the user can access. The destructor deletes the folder and its
// contents.
class temporary_folder {
 public:
  temporary_folder() : path_(io::os::temporary_folder() + "/.tracecodec-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr)
      throw std::system_error(errno, std::generic_category(), path_);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() { remove(); }
  void remove() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string operator/(const char* name) const { return path_ + '/' + name; }

 private:
  std::string path_;
};

x64dbg::trace_header header_of(const options& o, target t) {
  x64dbg::trace_header h;
  h.arch = t;
  h.hash_algorithm.reset();
  h.path = io::as_utf8(o.command[0]);
  return h;
}

summary summary_of(const recorded& r) {
  return {.skipped = r.skipped,
          .instructions = r.instructions,
          .threads = r.threads.size(),
          .incomplete = r.incomplete,
          .status = r.status,
          .other_width = r.other_width,
          .children = r.children};
}

// Records an x64dbg trace to `path`, then lets the program continue.
template <target T> recorded record_to(const std::string& path, tracee& program,
                                       program_modules& modules, const options& o) {
  x64dbg::writer<T> out(path, header_of(o, T),
                        {.mode = x64dbg::writer_mode::exact_union, .cip_always = true});
  // From here on, the first signal ends the recording but keeps its output. If OUT is a pipe and
  // nothing reads from it, a second signal ends the wait for a reader.
  enough_signals = examples::is_device(o.out) ? 2 : 0;
  recorder<T> recorder(program, out);
  recorded r = recorder.run(o.skip, o.count);
  if (ended_by == 0) r = recorder.release();
  observed = 0;
  if (r.instructions == 0) refuse_empty(summary_of(r), o);
  out.finish();
  modules = recorder.modules();
  return r;
}

// Output of ChampSim records, plain or as a tracepack, or of a drmemtrace trace.
class records_file {
 public:
  records_file(const options& o, target t) : name_(o.out) {
    constexpr std::size_t size = champsim::instruction_codec::size;
    const auto whose =
        t == target::x64 ? tracepack::processor::x86_64 : tracepack::processor::x86_32;
    auto file = io::open_output(name_);
    if (o.wants("drmemtrace"))
      instructions_.emplace(
          convert::compress_drmemtrace(std::move(file), name_, io::codec_of_suffix(name_), {}),
          name_, whose, true);
    else if (is_packed(name_))
      packed_ = pack(std::move(file), name_, size, whose, o);
    else
      plain_.emplace(as_named(std::move(file), name_), name_);
  }

  // Writes all records of `trace`. Stops early if a signal has arrived.
  void write(tracecodec::trace::source trace) {
    if (instructions_)
      write_instructions(std::move(trace));
    else
      packed_ != nullptr ? pack_all(std::move(trace)) : write_all(std::move(trace));
  }
  void finish() {
    if (instructions_)
      instructions_->finish();
    else
      packed_ != nullptr ? packed_->finish() : plain_->finish();
  }
  // Calls note(text) for each kind of information that is missing from the output.
  template <class Note> void report(Note note) const {
    if (instructions_) return convert::report(instructions_->unknown(), note);
    convert::report(losses_, false, note);
  }
  [[nodiscard]] std::uint64_t written() const { return written_; }

 private:
  void write_instructions(tracecodec::trace::source trace) {
    tracecodec::trace::reader from(std::move(trace));
    convert::drmemtrace_rows rows(from, *instructions_, true);
    while (interrupted == 0 && rows.next()) rows.write();
    rows.end();
    written_ = instructions_->written();
  }
  void write_all(tracecodec::trace::source trace) {
    tracecodec::trace::records records(std::move(trace));
    records.count_losses();
    while (interrupted == 0) {
      const auto batch = records.next();
      if (batch.empty()) break;
      plain_->write(batch);
      written_ += batch.size();
    }
    losses_ = records.losses();
  }
  // Writes records together with the properties of their instructions.
  void pack_all(tracecodec::trace::source trace) {
    tracecodec::trace::reader from(std::move(trace));
    convert::column_records<champsim::instruction> records(from, true);
    std::vector<std::byte> bytes;
    while (interrupted == 0 && records.next()) {
      const auto batch = records.records();
      bytes.resize(batch.size() * champsim::instruction_codec::size);
      std::byte* to = bytes.data();
      for (const champsim::instruction& r : batch) {
        champsim::instruction_codec::store(r, to);
        to += champsim::instruction_codec::size;
      }
      examples::write_packed(*packed_, bytes, records.known());
      written_ += batch.size();
    }
    losses_ = records.losses();
  }

  std::string name_;
  std::optional<champsim::writer<champsim::instruction_codec>> plain_ = {};
  std::unique_ptr<io::sink> packed_ = {};
  std::optional<convert::drmemtrace_output> instructions_ = {};
  std::uint64_t written_ = 0;
  tracecodec::trace::record_losses losses_ = {};
};

template <target T> recorded record_as_records(tracee& program, const options& o) {
  // Records are made from register values. Therefore first record the program as an x64dbg trace, and
  // then convert that trace.
  temporary_folder temporary;
  const std::string trace = temporary / (T == target::x64 ? "trace.trace64" : "trace.trace32");
  records_file out(o, T);
  program_modules modules;
  const auto r = record_to<T>(trace, program, modules, o);
  tracecodec::trace::source lifted(trace);
  // The temporary trace is already open, so it remains readable after its folder is deleted.
  temporary.remove();
  out.write(std::move(lifted));
  const std::uint64_t written = out.written();
  if (written == 0)
    throw std::runtime_error(o.out + ": not written: another signal came before its first record");
  out.finish();
  write_maps(modules, o.out, o);
  report(summary_of(r), o);
  if (written != r.instructions && !o.quiet)
    say("note: another signal: only the first " + examples::some(written, "instruction") +
        " were written");
  if (!o.quiet) out.report([](const std::string& what) { say("note: " + what); });
  return r;
}

template <target T> recorded record_as(tracee& program, const options& o) {
  constexpr int width = T == target::x64 ? 64 : 32;
  const int named = examples::x64dbg::width_of_name(o.out);
  const bool rich = o.format ? *o.format == "x64dbg" : named != 0;
  if (rich && named != 0 && named != width)
    throw usage_error(o.out + ": the program has " + std::to_string(width) +
                      " bits: choose a name that ends in .trace" + std::to_string(width));
  if (!rich) return record_as_records<T>(program, o);
  program_modules modules;
  const auto r = record_to<T>(o.out, program, modules, o);
  write_maps(modules, o.out, o);
  report(summary_of(r), o);
  return r;
}

}  // namespace

recorded_program record_by_steps(const options& o) {
  tracee program(o.command);
  observed = program.pid();
  end_on_signals();
  settle_first_state(program.pid());
  registers first;
  if (!first.read(program.pid())) throw std::runtime_error("the program has disappeared");
  const recorded r =
      first.narrow() ? record_as<target::x86>(program, o) : record_as<target::x64>(program, o);
  // Call keep() only after a trace was written. In case of an error, the program must be killed.
  if (r.runs_on) program.keep();
  return {program.pid(), r.status};
}

}  // namespace record
