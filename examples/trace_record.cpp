// Records a real program, instruction by instruction, as an x64dbg trace or as ChampSim records:
// single-steps it with ptrace (Linux, x86-64; 32-bit programs too).
#include <sys/wait.h>
#include <unistd.h>
#include <tracecodec/champsim/writer.hpp>
#include <tracecodec/io/filesystem.hpp>
#include <tracecodec/trace/records.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "common/command_line.hpp"
#include "common/interrupt.hpp"
#include "common/text.hpp"
#include "convert/champsim_losses.hpp"
#include "convert/output_format.hpp"
#include "record/ending.hpp"
#include "record/first_state.hpp"
#include "record/program_modules.hpp"
#include "record/recording.hpp"
#include "record/tracee.hpp"

namespace {

using namespace examples;
namespace champsim = tracecodec::champsim;
namespace io = tracecodec::io;
using record::options;
using tracecodec::x64dbg::target;

constexpr int exit_not_permitted = 3;
void say(const std::string& message) { complain("trace_record", message); }

// The first signal ends the recording, and the program; the second what is made of it. One that
// comes just before a wait for a pipe wakes nobody up: so an alarm follows it, each second.
void end(int signal) {
  if (signal != SIGALRM) {
    if (record::ended_by != 0) interrupted = signal;
    record::end_recording(signal);
  }
  alarm(1);
}
// Sets a handler for those signals that the parent process does not ignore.
void on_signals(std::initializer_list<int> signals, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;  // without SA_RESTART
  sigemptyset(&action.sa_mask);
  for (const int s : signals) {
    struct sigaction before {};
    if (sigaction(s, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(s, &action, nullptr);
  }
}
void die_by(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// A new folder for temporary files that nobody else may enter; deleted in the end, with all in it.
class temporary_folder {
 public:
  temporary_folder()
      : path_((std::filesystem::temp_directory_path() / ".tracecodec-XXXXXX").string()) {
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

void report(const record::recorded& r, const options& o) {
  say(o.out + ": " + some(r.instructions, "instruction") + " of " +
      some(r.threads.size(), "thread") +
      (r.skipped != 0 ? ", after " + std::to_string(r.skipped) + " that were left out" : ""));
  if (r.incomplete != 0)
    say("note: " + std::to_string(r.incomplete) + " of them access memory that is not recorded");
  if (r.other_width)
    say("note: the program went on as one of another width: what it did then is not recorded");
  if (r.children != 0)
    say("note: the program made " +
        (r.children == 1 ? "1 child process, which is"
                         : std::to_string(r.children) + " child processes, which are") +
        " not recorded");
  if (record::ended_by != 0)
    say("note: signal " + std::to_string(record::ended_by) +
        " ended the recording, and the program");
  else if (r.status && WIFSIGNALED(*r.status))
    say("note: the program was ended by signal " + std::to_string(WTERMSIG(*r.status)));
  else if (r.status && WEXITSTATUS(*r.status) != 0)
    say("note: the program's exit status was " + std::to_string(WEXITSTATUS(*r.status)));
}

void record_as_champsim(target t, record::tracee& program, const options& o) {
  // Lifting needs the registers: they are in an x64dbg trace, which then becomes the records.
  temporary_folder temporary;
  const std::string trace = temporary / (t == target::x64 ? "trace.trace64" : "trace.trace32");
  champsim::writer<champsim::instruction_codec> out(o.out);
  record::program_modules modules;
  const auto r = record::record_to(t, trace, program, modules, o);
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
  record::write_maps(modules, o);
  report(r, o);
  if (written != r.instructions)
    say("note: another signal: only the first " + some(written, "instruction") + " were written");
  convert::report(records.losses(), false, [](const std::string& what) { say("note: " + what); });
}

void record_as(target t, record::tracee& program, const options& o) {
  const int width = t == target::x64 ? 64 : 32;
  const int named = convert::x64dbg_width(o.out);
  const bool rich = o.format ? *o.format == "x64dbg" : named != 0;
  if (rich && named != 0 && named != width)
    throw usage_error(o.out + ": the program is of " + std::to_string(width) +
                      " bits: the trace's name ends in .trace" + std::to_string(width));
  if (!rich) return record_as_champsim(t, program, o);
  record::program_modules modules;
  const auto r = record::record_to(t, o.out, program, modules, o);
  record::write_maps(modules, o);
  report(r, o);
}

int start(int argc, char** argv) {
  options o;
  command_line app(
      "Runs PROGRAM and records what it executes. OUT is an x64dbg trace if its name ends in "
      ".trace64 or .trace32 (then .xz, .gz or .zst, if it is to be compressed), else ChampSim "
      "records; names of other forms, as .csv and .data, are refused. When COUNT instructions are "
      "recorded, PROGRAM runs on unobserved. Ctrl-C (SIGINT), SIGTERM and SIGHUP end the "
      "recording: PROGRAM is killed, what was recorded is written, then trace_record dies by the "
      "signal. Processes that PROGRAM makes are not recorded. PROGRAM's addresses are not random; "
      "if it ignores SIGTRAP, or steps itself, it may find that it is recorded. Beside the trace "
      "OUT.maps.json tells where the program's modules lay and what its functions are called, for "
      "trace_view, trace_find and trace_report; OUT without .xz, .gz or .zst there. The exit "
      "status "
      "is 3 if the system does not permit ptrace.",
      "trace_record");
  app.add_argument("-o", o.out, "The trace").required().type_name("OUT");
  add_count(app, "-s,--skip", o.skip, "Leave out the first N instructions");
  add_most(app, "-t,-n,--limit", o.count,
           "Record N instructions; all: to the program's end (default 1000000)");
  add_choice(
      app, "--format", {{"champsim", {}}, {"x64dbg", {}}},
      [&o](const std::string& name) { o.format = name; }, "Format of OUT, whatever its name");
  app.add_flag("--no-maps", o.no_maps, "Do not write OUT.maps.json");
  app.add_argument("PROGRAM", o.command, "The program and its arguments, behind --")
      .required()
      .type_name("ARGS");
  const std::vector<std::string> line(argv, argv + argc);
  if (!app.parse(line)) return 0;
  if (o.count == 0) throw usage_error("--limit 0 records nothing: all is to the program's end");
  if (o.out == "-") throw usage_error("OUT is a file: standard output is the program's");
  for (const std::string& out : {o.out, tracecodec::maps_path(o.out)})
    if (o.command[0].find('/') != std::string::npos && io::same_file(o.command[0], out))
      throw usage_error(out + " is the same file as " + o.command[0] +
                        ", the program: choose another output");
  static_cast<void>(compression_by_name(o.out));  // refuses what is only read
  // Under the name of another form records would be taken for what they are not.
  if (!o.format)
    require_form(o.out, {form::records, form::x64dbg32, form::x64dbg64},
                 "; or name the format with --format");

  try {
    record::tracee program(o.command);
    record::observed = program.pid();
    const auto handler = [](int signal, siginfo_t*, void*) { end(signal); };
    on_signals(ending_signals, handler);
    on_signals({SIGALRM}, handler);
    io::stop_waiting_if(record::stops_waiting);
    record::settle_first_state(program.pid());
    record::registers first;
    if (!first.read(program.pid())) throw std::runtime_error("the program is gone");
    record_as(first.narrow() ? target::x86 : target::x64, program, o);
  } catch (const record::not_permitted& e) {
    say(e.what());
    return exit_not_permitted;
  }
  // The trace is there. Ctrl-C is the program's now, which the terminal sends it to, too.
  on_signals(ending_signals, [](int signal, siginfo_t* info, void*) {
    if (signal != SIGINT || info->si_code != SI_KERNEL) die_by(signal);
  });
  while (record::ended_by == 0 && (waitpid(-1, nullptr, __WALL) > 0 || errno == EINTR)) continue;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int code = examples::run("trace_record", [&] { return start(argc, argv); });
  if (record::ended_by != 0) die_by(record::ended_by);
  return code;
}
