#include "engine.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <tracecodec/analysis/block_vectors.hpp>
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/io/open.hpp>
#include <utility>
#include <vector>

#if defined(TRACECODEC_WITH_LIBDW)
#include <tracecodec/program/elf_symbols.hpp>
#endif

#include "../../common/output_name.hpp"
#include "../../common/text.hpp"
#include "../ending.hpp"
#include "../maps_file.hpp"
#include "../packed.hpp"
#include "../program_path.hpp"
#include "../summary.hpp"
#include "emulator.hpp"
#include "outputs.hpp"
#include "session.hpp"

namespace record::qemu {

namespace {

namespace fs = std::filesystem;
using examples::some;

// Returns the path of the plugin, or an empty string if the plugin is not found. In a build folder,
// the plugin is next to the program. After an installation, it is in the library folder.
std::string find_plugin() {
  constexpr const char* name = "tracecodec-qemu.so";
  const std::string own = own_folder();
  for (const std::string& folder : {own, own + "/../" TRACECODEC_LIBRARIES "/tracecodec"}) {
    std::error_code ignored;
    const std::string path = folder + '/' + name;
    if (fs::is_regular_file(path, ignored)) return fs::canonical(path, ignored).string();
  }
  return {};
}

// State of the recording of one process.
struct recorded_process {
  // Number of the process, starting with 1.
  std::size_t number = 0;
  // Output files by thread number. If all threads share a file, the file has number 0.
  std::map<std::uint32_t, std::unique_ptr<output>> files = {};
  std::set<std::uint32_t> threads = {};
  std::uint64_t instructions = 0, skipped = 0, clipped = 0, children = 0;
  program_modules modules = {};
};

class recording_to_files {
 public:
  recording_to_files(const options& o, const runnable& program, std::size_t record_size)
      : options_(o), record_size_(record_size) {
    std::error_code ignored;
    program_ = fs::canonical(program.file, ignored).string();
    // Open the output before the program starts.
    first_ = open_output(o.out, record_size, named(program.processor), o);
    if (o.vectors) {
      vectors_.emplace(o.interval);
      vectors_to_ = tracecodec::io::open_output(*o.vectors);
    }
  }

  [[nodiscard]] consumer as_consumer() {
    return {[this](const process& p) { begin(p); },
            [this](const process& p, std::uint32_t thread, std::span<std::byte> r) {
              add(p, thread, r);
            },
            [this](const process& p, std::uint64_t ip, std::uint64_t base) {
              return triggers_near(p, ip, base);
            },
            [this](const process& p) { end(p); }};
  }

  // Completes the output files. Throws an exception if no instruction was recorded.
  void finish(const std::optional<int>& status) {
    if (shown_) std::fputs("\r\033[K", stderr);
    summary all;
    all.status = status;
    if (const auto main = by_id_.find(first_id_); main != by_id_.end()) {
      all.skipped = main->second.skipped;
      all.instructions = main->second.instructions;
      all.threads = main->second.threads.size();
      if (!options_.follow_forks) all.children = main->second.children;
    }
    for (const place& wanted : options_.places)
      if (!options_.quiet && !wanted.symbol.empty() && found_.count(wanted.symbol) == 0)
        say("note: function " + wanted.symbol + " was not found");
    if (std::all_of(by_id_.begin(), by_id_.end(),
                    [](const auto& p) { return p.second.instructions == 0; }))
      refuse_empty(all, options_);
    std::uint64_t clipped = 0;
    for (auto& [id, p] : by_id_) {
      for (auto& [thread, file] : p.files)
        if (file != nullptr) file->finish();
      clipped += p.clipped;
      if (p.instructions == 0) continue;
      p.modules.keep_executed(program_);
      write_maps(p.modules, name_of(options_.out, p.number, 1), options_);
    }
    if (vectors_) {
      vectors_->finish();
      write_vectors();
      vectors_to_->finish();
    }
    report(all, options_);
    if (vectors_ && !options_.quiet)
      say(*options_.vectors + ": " + some(vectors_->intervals(), "interval") + " of " +
          some(vectors_->blocks(), "block"));
    for (const auto& [id, p] : by_id_) {
      if (options_.quiet || p.number == 1 || p.instructions == 0) continue;
      say(name_of(options_.out, p.number, 1) + ": " + some(p.instructions, "instruction") +
          " of a child process");
    }
    if (clipped != 0 && !options_.quiet)
      say("note: " + some(clipped, "instruction") + " had more operands than a record holds");
  }

 private:
  void begin(const process& p) {
    if (by_id_.empty()) first_id_ = p.id;
    recorded_process& r = by_id_[p.id];
    if (r.number == 0) {
      r.number = by_id_.size();
      if (p.parent != 0) r.modules.inherit(by_id_[p.parent].modules);
    } else {
      // The process was recorded before, so it has called exec.
      r.modules.begin(r.instructions);
    }
  }
  void add(const process& p, std::uint32_t thread, std::span<std::byte> records) {
    recorded_process& r = by_id_[p.id];
    r.threads.insert(thread);
    auto& file = r.files[options_.split_threads ? thread : 0];
    if (file == nullptr)
      file = first_ != nullptr && r.number == 1
                 ? std::move(first_)
                 : open_output(
                       name_of(options_.out, r.number, options_.split_threads ? r.files.size() : 1),
                       record_size_, p.processor, options_);
    ips_.clear();
    branches_.clear();
    for (std::size_t at = 0; at != records.size(); at += record_size_) {
      // Both record types begin with `ip`, followed by `is_branch`.
      std::uint64_t ip = 0;
      std::memcpy(&ip, records.data() + at, sizeof ip);
      r.modules.executed(r.instructions++, ip);
      ips_.push_back(ip);
      branches_.push_back(std::to_integer<std::uint8_t>(records[at + sizeof ip]));
    }
    if (vectors_ && r.number == 1) {
      vectors_->add(ips_, branches_);
      write_vectors();
    }
    file->write(p, thread, records);
    progress(records.size() / record_size_);
  }
  trigger_range triggers_near(const process& p, std::uint64_t ip, std::uint64_t base) {
    recorded_process& r = by_id_[p.id];
    r.modules.look_inside(p.id, base);
    constexpr std::uint64_t page = 4096;
    trigger_range a;
    a.from = ip / page * page;
    a.to = a.from + page;
    for (const program_module& m : r.modules.now())
      if (m.has(ip)) {
        a.from = m.base;
        a.to = m.base + m.size;
        add_places(m, a);
      }
    for (const place& wanted : options_.places)
      if (wanted.address) add_trigger(*wanted.address, wanted, a);
    return a;
  }
  static void add_trigger(std::uint64_t address, const place& wanted, trigger_range& a) {
    if (a.count < a.triggers.size()) a.triggers[a.count++] = {address, wanted.count, wanted.begins};
  }
  // Adds to `a` the functions of module `m` at which the recording begins or ends.
  void add_places([[maybe_unused]] const program_module& m, [[maybe_unused]] trigger_range& a) {
#if defined(TRACECODEC_WITH_LIBDW)
    if (std::none_of(options_.places.begin(), options_.places.end(),
                     [](const place& p) { return !p.symbol.empty(); }))
      return;
    std::vector<tracecodec::program_symbol> symbols;
    program_module copy = m;
    tracecodec::read_elf_symbols(
        copy, [](auto, auto) { return true; }, symbols);
    for (const place& wanted : options_.places) {
      const auto at = std::find_if(symbols.begin(), symbols.end(),
                                   [&](const auto& s) { return s.name == wanted.symbol; });
      if (at == symbols.end()) continue;
      add_trigger(at->address, wanted, a);
      found_.insert(wanted.symbol);
    }
#endif
  }
  void end(const process& p) {
    recorded_process& r = by_id_[p.id];
    r.clipped += p.lost;
    r.skipped += p.skipped;
    r.children += p.children;
    // The files of the first process are completed when the whole recording ends.
    if (r.number == 1 || p.becomes) return;
    for (auto& [thread, file] : r.files) {
      file->finish();
      file.reset();
    }
  }

  void write_vectors() {
    const std::string lines = vectors_->result();
    vectors_to_->write(std::as_bytes(std::span(lines)));
  }
  // Prints a progress line once per second if standard error is a terminal.
  void progress(std::uint64_t more) {
    using clock = std::chrono::steady_clock;
    done_ += more;
    if (options_.quiet || ::isatty(STDERR_FILENO) != 1) return;
    const clock::time_point now = clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::seconds(1);
    const std::chrono::duration<double> since = now - began_;
    std::uint64_t bytes = 0;
    for (const auto& [id, p] : by_id_)
      for (const auto& [thread, file] : p.files)
        if (file != nullptr) bytes += file->bytes();
    std::fprintf(stderr, "\rtrace_record: %s instructions, %.1f million a second, %s bytes\033[K",
                 examples::grouped(done_).c_str(), static_cast<double>(done_) / since.count() / 1e6,
                 examples::grouped(bytes).c_str());
    shown_ = true;
  }

  const options& options_;
  std::size_t record_size_;
  std::string program_ = {};  // path of the program's file
  std::unique_ptr<output> first_;
  pid_t first_id_ = 0;
  std::map<pid_t, recorded_process> by_id_ = {};
  std::set<std::string> found_ = {};
  std::optional<tracecodec::analysis::block_vectors> vectors_ = {};
  std::unique_ptr<tracecodec::io::sink> vectors_to_;
  std::vector<std::uint64_t> ips_ = {};
  std::vector<std::uint8_t> branches_ = {};
  std::uint64_t done_ = 0;
  bool shown_ = false;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_ = began_ + std::chrono::seconds(1);
};

}  // namespace

found find(const options& o) {
  found f;
  const auto program = resolve(in_path(o.command[0]), o.command);
  if (program && program->processor != "x86_64" && program->processor != "i386")
    f.foreign = program->processor;
  f.plugin = find_plugin();
  if (f.plugin.empty()) {
    f.missing = "tracecodec-qemu.so was not found: build it with this program, or install it";
    return f;
  }
  f.emulator = "qemu-" + std::string(program ? program->processor : "x86_64");
  const std::string path = in_path(f.emulator);
  if (path.empty()) {
    f.missing = f.emulator + " is not installed (Debian: qemu-user)";
    return f;
  }
  f.folder = path.substr(0, path.rfind('/'));
  return f;
}

recorded_program run(const options& o, const found& with) {
  const auto program = resolve(in_path(o.command[0]), o.command);
  if (!program) throw std::runtime_error(o.command[0] + ": " + std::strerror(errno));
  order what;
  // CloudSuite records have room for more operands, and drmemtrace has room for all.
  const bool drmemtrace = o.wants("drmemtrace");
  what.record_size = drmemtrace || o.wants("cloudsuite")
                         ? sizeof(tracecodec::champsim::cloudsuite_instruction)
                         : sizeof(tracecodec::champsim::instruction);
  what.region = {o.skip, o.count, o.every, o.length};
  what.follow_forks = o.follow_forks ? 1 : 0;
  what.markers = o.markers ? 1 : 0;
  what.keeps_code = drmemtrace || is_packed(o.out) ? 1 : 0;
  const bool waits = o.markers || std::any_of(o.places.begin(), o.places.end(),
                                              [](const place& p) { return p.begins; });
  what.from.waits = waits ? 1 : 0;
  if (!o.quiet && tracecodec::io::codec_of_suffix(o.out) == tracecodec::io::codec::xz)
    say("note: compressing .xz takes a thousand times as long as QEMU alone, and the program "
        "waits: record to .zst or .tpack, and convert that with trace_convert");
  session listening(what);
  recording_to_files to(o, *program, what.record_size);
  end_on_signals();
  // The first signal ends the recording but keeps its output. If OUT is a pipe and nothing reads
  // from it, a second signal ends the wait for a reader.
  enough_signals = examples::is_device(o.out) ? 2 : 0;
  const pid_t id = listening.start(emulated(*program, with.folder, with.plugin, listening.name()));
  observed = id;
  const std::optional<int> status = listening.run(to.as_consumer());
  observed = 0;
  if (!listening.heard() && ended_by == 0)
    throw not_loaded(
        program->file + ": " + with.emulator + " did not load " + with.plugin +
        ", for the reason printed above (\"unknown option 'plugin'\": this QEMU has no plugins)");
  to.finish(status);
  // Call complete() only after a trace was written. In case of an error, the program must be
  // killed.
  listening.complete();
  return {id, status};
}

}  // namespace record::qemu
