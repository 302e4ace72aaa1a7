// Compares two traces, of the same format or of two: thread by thread, aligned by ip.
#include <tracecodec/analysis/diff.hpp>
#include <tracecodec/io/filesystem.hpp>
#include <tracecodec/io/path.hpp>
#include <tracecodec/trace/places.hpp>
#include <tracecodec/trace/reader.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "common/address.hpp"
#include "common/command_line.hpp"
#include "common/open_trace.hpp"
#include "common/output.hpp"
#include "common/places.hpp"
#include "common/text.hpp"
#include "diff/expected.hpp"
#include "diff/report.hpp"
#include "diff/umtracer_events.hpp"

namespace {

using namespace examples;
namespace analysis = tracecodec::analysis;
namespace trace = tracecodec::trace;

struct options {
  std::string a = {}, b = {};
  reading as = {};
  analysis::diff_options how = {.retries = 1000};
  diff::ignored ignored = {};
  diff::moved_regions moved = {};
  std::string from_symbol = {};
  std::uint64_t most = 10;
  bool as_json = false;
};

using thread_list = std::vector<std::optional<std::uint32_t>>;

// One of the traces: a file or a folder, which is read once for each thread, or a pipe, once.
class input {
 public:
  input(const std::string& path, const reading& as) : path_(path), as_(as) {
    trace::source in = open_trace(path, as);
    const trace::format f = in.format();
    tells_values_ = f == trace::format::x64dbg || f == trace::format::umtracer;
    const bool one = f == trace::format::champsim;
    by_asid_ = f == trace::format::cloudsuite;
    is_umtracer_ = f == trace::format::umtracer;
    format_ = f;
    has_threads_ = !one;
    if (!one) only_ = as_.thread;
    // What its format does not have is the other one's.
    if (one || by_asid_) as_.thread = std::nullopt, as_.repair = false;
    if (!trace::has_events(f)) as_.metadata = std::nullopt, as_.wanted = {};
    if (!trace::has_records(f)) as_.branch_rules = std::nullopt;
    std::error_code ignored;
    const auto real = tracecodec::io::path_of(path);
    again_ = path != "-" && (std::filesystem::is_regular_file(real, ignored) ||
                             std::filesystem::is_directory(real, ignored));
    if (again_ && !one && !only_)
      find_threads(std::move(in));
    else if (again_)
      threads_ = {only_};
    else
      first_.emplace(std::move(in));
  }

  [[nodiscard]] bool has_threads() const { return has_threads_; }
  // In the order in which they first run; nullopt: all of a trace of which none can be chosen.
  [[nodiscard]] const thread_list& threads() const { return threads_; }

  // How the instructions of what was opened last read.
  [[nodiscard]] diff::assembly assembly() const { return assembly_; }

  [[nodiscard]] trace::format format() const { return format_; }
  // That an UMTracer trace tells, for symbols.
  [[nodiscard]] std::vector<tracecodec::program_module> modules() const {
    if (!is_umtracer_) return {};
    return modules_of(path_, as_);
  }
  [[nodiscard]] bool is_umtracer() const { return is_umtracer_; }
  // Values of registers and memory.
  [[nodiscard]] bool tells_values() const { return tells_values_; }
  void keep_registers() { as_.registers = true; }

  analysis::diff_source open(std::optional<std::uint32_t> thread) {
    if (!thread) thread = only_;
    reading as = as_;
    if (again_ && !by_asid_) as.thread = thread;
    if (again_ && thread) as.wanted.threads = {};
    const bool filtered = by_asid_ && (only_ || threads_.size() > 1);
    analysis::diff_source all(
        again_ ? trace::open_columns(path_, as) : trace::open_columns(std::move(*first_), as),
        filtered ? thread : std::nullopt);
    assembly_ = [of = &all.trace()](const analysis::diff_step& i) {
      return analysis::assembly_of(i, *of);
    };
    return all;
  }

 private:
  void find_threads(trace::source in) {
    threads_.clear();
    std::unordered_set<std::uint32_t> known;
    std::optional<std::uint32_t> last;
    try {
      const auto all = trace::open_columns(std::move(in), as_);
      all->want({tracecodec::feed::column::thread});
      for (tracecodec::feed::columns batch; known.size() <= most_threads && all->next(batch);)
        for (const std::uint32_t thread : batch.thread()) {
          if (last == thread) continue;
          last = thread;
          if (known.insert(thread).second) threads_.push_back(last);
        }
      if (known.size() > most_threads) {
        if (!by_asid_)
          throw usage_error(path_ + " has more than " + std::to_string(most_threads) +
                            " threads: choose one with --thread");
        threads_.clear();  // as one
      }
    } catch (const tracecodec::trace_error&) {
      // It is thrown again where it is compared.
    }
    if (threads_.empty()) threads_.emplace_back();
  }

  static constexpr std::size_t most_threads = 1024;
  std::string path_;
  reading as_;
  trace::format format_ = {};
  bool again_ = false, tells_values_ = false, has_threads_ = false, is_umtracer_ = false;
  bool by_asid_ = false;  // CloudSuite's address spaces, which are taken out here
  std::optional<trace::source> first_ = {};
  diff::assembly assembly_ = {};
  std::optional<std::uint32_t> only_ = {};  // the one that is asked for
  thread_list threads_ = {std::nullopt};
};

// Threads of both traces that are compared: those with the same id, then the others in their order.
std::vector<std::pair<std::optional<std::uint32_t>, std::optional<std::uint32_t>>> pairs_of(
    thread_list a, thread_list b) {
  std::vector<std::pair<std::optional<std::uint32_t>, std::optional<std::uint32_t>>> pairs;
  for (auto i = a.begin(); i != a.end();) {
    const auto same = std::find(b.begin(), b.end(), *i);
    if (same == b.end()) {
      ++i;
      continue;
    }
    pairs.emplace_back(*i, *i);
    b.erase(same);
    i = a.erase(i);
  }
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) pairs.emplace_back(a[i], b[i]);
  return pairs;
}

// Whether they are the same. What was found before an error is printed before it is thrown.
bool compare(const options& o, output& out) {
  const analysis::differences wanted{.registers = o.ignored.wants("registers"),
                                     .memory = o.ignored.wants("memory"),
                                     .outcome = o.ignored.wants("outcome"),
                                     .values = o.how.values,
                                     .code = o.ignored.wants("code"),
                                     .events = o.ignored.wants("events")};
  input a(o.a, o.as), b(o.b, o.as);
  if (o.as.thread && !a.has_threads() && !b.has_threads())
    throw usage_error("--thread: neither trace has threads");
  if (o.how.values && a.tells_values() && b.tells_values()) a.keep_registers(), b.keep_registers();
  thread_list of_a = a.threads(), of_b = b.threads();
  if (!of_a[0] || !of_b[0]) of_a = of_b = {std::nullopt};
  analysis::diff_options how = o.how;
  if (!o.from_symbol.empty()) {
    const auto symbol = trace::places_of(o.a, a.format(), o.as, a.modules()).symbol(o.from_symbol);
    if (!symbol) throw usage_error("--from: no symbol '" + o.from_symbol + "' of A is known");
    how.from = symbol->address;
  }
  diff::report report(out, wanted, o.most, o.as_json);
  analysis::diff_summary sum;
  std::exception_ptr failure;
  std::optional<diff::umtracer_events> others;
  // With a start it is not known which of them are behind it.
  if (a.is_umtracer() && b.is_umtracer() && !how.from) {
    try {
      others.emplace(o.a, o.b, o.as.repair,
                     diff::event_kinds{wanted.events, o.ignored.wants("syscalls"),
                                       o.ignored.wants("contexts")},
                     tracecodec::umtracer::event_diff_options{wanted.values && !o.ignored.addresses,
                                                              o.how.moved});
    } catch (const tracecodec::trace_error&) {
      failure = std::current_exception();
    }
  }
  for (const auto& [x, y] : pairs_of(of_a, of_b)) {
    if (of_a.size() + of_b.size() > 2 && !o.as_json)
      out.text +=
          "thread " + std::to_string(x.value_or(0)) + " | " + std::to_string(y.value_or(0)) + '\n';
    try {
      analysis::diff_source first = a.open(x), second = b.open(y);
      report.read_as(a.assembly(), b.assembly());
      analysis::diff_options each = how;
      if (!o.ignored.mnemonics.empty())
        each.expected = diff::written_by(o.ignored.mnemonics, a.assembly(), b.assembly());
      analysis::diff(
          std::move(first), std::move(second), each, sum,
          [&](const auto& p, const auto& q, analysis::differences d, auto values) {
            report.differs(p, q, d, values);
          },
          [&](const analysis::divergence& d) { report.diverges(d); });
      if (others) others->compare(out, x, y, o.most, o.as_json);
    } catch (const tracecodec::trace_error&) {
      if (!failure) failure = std::current_exception();
    }
  }
  report.finish();
  if (others) others->finish(out, o.as_json);
  if (o.as.thread && !failure && sum.aligned == 0 && sum.divergences == 0)
    throw usage_error("--thread: neither trace has an instruction of thread " +
                      std::to_string(*o.as.thread));
  if (how.from && !failure && !sum.started)
    throw usage_error("--from: the traces do not both execute this address");
  const bool differ = sum.divergences != 0 || report.differing() != 0 ||
                      of_a.size() != of_b.size() || (others && others->found().any());
  const diff::verdict found = differ    ? diff::verdict::differ
                              : failure ? diff::verdict::same_so_far
                                        : diff::verdict::same;
  if (!failure || sum.aligned != 0 || sum.divergences != 0)
    diff::write_summary(out.text, o.a, o.b, sum, of_a.size(), of_b.size(), wanted, found,
                        !failure && !sum.lost, o.as_json, others ? &others->found() : nullptr);
  out.finish();
  if (failure) std::rethrow_exception(failure);
  return !differ;
}

int start(int argc, char** argv) {
  options o;
  command_line app(
      "Compares two traces, of the same format or of two: thread by thread, aligned by ip. "
      "Prints where they part and meet again, and how instructions at the same ip differ: which "
      "registers and addresses they name, where their branches go, and, if both traces are "
      "x64dbg's or UMTracer's, their code, and where a register or memory becomes different in its "
      "value; if both are RapidBin's, their events; if both are UMTracer's, their system calls, "
      "contexts "
      "and ends of threads. Behind ; is what an instruction reads as, if a trace "
      "tells. Of operands two written and four read registers and addresses count, as many as a "
      "ChampSim record holds. Numbers are instructions of the thread, of the first trace and of "
      "the second. The exit status is 0 if they are the same, 1 if they differ, 2 if they could "
      "not be compared.",
      "trace_diff");
  app.add_argument("A", o.a, "A trace; - is standard input. A pipe is compared as one thread")
      .required()
      .type_name("");
  app.add_argument("B", o.b, "The other trace").required().type_name("");
  add_values(
      app, "--ignore",
      "registers|memory|outcome|values|code|events|syscalls|contexts|addresses|MNEMONIC",
      [&o](const std::string& word) { return o.ignored.add(word); },
      "Leave differences of this kind aside; or, with addresses, those of memory and values that "
      "are "
      "addresses: the stack pointer, and what is as far apart as memory that an instruction "
      "accesses "
      "in both; or what instructions with this mnemonic write and what is computed from it, or "
      "with "
      "one of clock (rdtsc, rdtscp, rdpmc), random (rdrand, rdseed), syscall (syscall, sysenter, "
      "int); may be given several times",
      diff::ignored::expected());
  add_values(
      app, "--relocate", "A=B[+SIZE]", [&o](const std::string& s) { return o.moved.add(s); },
      "What is at A in the first trace is at B in the second, SIZE bytes, or else all up to the "
      "next "
      "B: addresses there are equal if they are equally far behind; may be given several times",
      "A=B or A=B+SIZE" + std::string(address_hint));
  add_value(
      app, "--from", "ADDRESS|SYMBOL",
      [&o](const std::string& s) {
        o.how.from = number_of(s);
        if (!o.how.from) o.from_symbol = s;
        return o.how.from || (!s.empty() && (s[0] < '0' || s[0] > '9'));
      },
      "Begin where each executes this address of the first trace, thread by thread; or this "
      "function of it, by its map or by --symbols",
      "an address" + std::string(address_hint) + ", or a function's name");
  std::uint64_t window = o.how.window, context = o.how.context, retries = o.how.retries;
  add_count(app, "--window", window,
            "Search so many instructions of each for where they meet again (default 65536)",
            o.how.run, std::uint64_t{1} << 28);
  add_count(app, "--retry", retries,
            "Give up so many windows in a row, and search behind them (default 1000)");
  add_count(app, "--context", context, "Show so many instructions before a divergence (default 3)");
  add_most(app, "-m,--most", o.most,
           "Print so many differences and divergences; 0 is none (default 10)");
  add_format(app, o.as);
  add_reading(app, o.as);
  add_places(app, o.as);
  app.add_flag("--json", o.as_json, "Print the summary alone, as one JSON object");
  if (!app.parse(arguments(argc, argv))) return 0;
  o.how.window = static_cast<std::size_t>(window);
  o.how.context = static_cast<std::size_t>(std::min<std::uint64_t>(context, 1000));
  o.how.retries = static_cast<std::size_t>(std::min<std::uint64_t>(retries, ~std::size_t{0}));
  o.how.values = o.ignored.wants("values");
  o.how.addresses_expected = o.ignored.addresses;
  o.how.moved = o.moved.relocation();
  if (o.a == "-" && o.b == "-") throw usage_error("standard input is one trace");
  working_on = o.a + " and " + o.b;
  output out;
  return compare(o, out) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(
      "trace_diff", [&] { return start(argc, argv); }, 2);
}
