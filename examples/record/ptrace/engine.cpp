#include "engine.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <tracecodec/champsim/writer.hpp>
#include <tracecodec/io/os.hpp>
#include <tracecodec/io/utf8.hpp>
#include <tracecodec/trace/records.hpp>
#include <tracecodec/x64dbg/writer.hpp>

#include "../../common/interrupt.hpp"
#include "../../common/output_name.hpp"
#include "../../common/text.hpp"
#include "../../convert/champsim_losses.hpp"
#include "../../convert/output_format.hpp"
#include "../ending.hpp"
#include "../maps_file.hpp"
#include "../packed.hpp"
#include "../telling.hpp"
#include "first_state.hpp"
#include "recorder.hpp"

namespace record {

namespace {

namespace champsim = tracecodec::champsim;
namespace io = tracecodec::io;
namespace x64dbg = tracecodec::x64dbg;
using examples::interrupted;
using examples::usage_error;
using x64dbg::target;

// A new folder for temporary files that nobody else may enter; deleted in the end, with all in it.
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

// Records into `path`, as an x64dbg trace, and lets the program run on.
template <target T> recorded record_to(const std::string& path, tracee& program,
                                       program_modules& modules, const options& o) {
  x64dbg::writer<T> out(path, header_of(o, T),
                        {.mode = x64dbg::writer_mode::exact_union, .cip_always = true});
  // OUT is open. What is recorded now is kept, if nobody must be waited for to take it.
  enough_signals = examples::is_device(o.out) ? 2 : 0;
  recorder<T> recorder(program, out);
  const recorded r = recorder.run(o.skip, o.count);
  if (ended_by == 0) recorder.release();
  observed = 0;
  if (r.instructions == 0) refuse_empty(summary_of(r), o);
  out.finish();
  modules = recorder.modules();
  return r;
}

template <target T> recorded record_as_champsim(tracee& program, const options& o) {
  // Lifting needs the registers: they are in an x64dbg trace, which then becomes the records.
  temporary_folder temporary;
  const std::string trace = temporary / (T == target::x64 ? "trace.trace64" : "trace.trace32");
  champsim::writer<champsim::instruction_codec> out(
      as_named(tracecodec::io::open_output(o.out), o.out, champsim::instruction_codec::size, o),
      o.out);
  program_modules modules;
  const auto r = record_to<T>(trace, program, modules, o);
  tracecodec::trace::records records(trace);
  temporary.remove();  // it is open
  records.count_losses();
  std::uint64_t written = 0;
  while (interrupted == 0) {
    const auto batch = records.next();
    if (batch.empty()) break;
    out.write(batch);
    written += batch.size();
  }
  if (written == 0)
    throw std::runtime_error(o.out + ": not written: another signal came before its first record");
  out.finish();
  write_maps(modules, o.out, o);
  report(summary_of(r), o);
  if (written != r.instructions && !o.quiet)
    say("note: another signal: only the first " + examples::some(written, "instruction") +
        " were written");
  if (!o.quiet)
    convert::report(records.losses(), false, [](const std::string& what) { say("note: " + what); });
  return r;
}

template <target T> recorded record_as(tracee& program, const options& o) {
  constexpr int width = T == target::x64 ? 64 : 32;
  const int named = convert::x64dbg_width(o.out);
  const bool rich = o.format ? *o.format == "x64dbg" : named != 0;
  if (rich && named != 0 && named != width)
    throw usage_error(o.out + ": the program is of " + std::to_string(width) +
                      " bits: the trace's name ends in .trace" + std::to_string(width));
  if (!rich) return record_as_champsim<T>(program, o);
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
  if (!first.read(program.pid())) throw std::runtime_error("the program is gone");
  const recorded r =
      first.narrow() ? record_as<target::x86>(program, o) : record_as<target::x64>(program, o);
  return {program.pid(), r.status};
}

}  // namespace record
