// frontend_sim: simulates a decoupled front end on a trace, with branch prediction as in ChampSim,
// fetch blocks and an instruction cache. The front end is composed of the policies in this folder.
#include <tracecodec/feed/column_row.hpp>
#include <tracecodec/trace/reader.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "../common/open_trace.hpp"
#include "../common/output.hpp"
#include "../common/piped.hpp"
#include "../common/progress.hpp"
#include "../common/text.hpp"
#include "any_front_end.hpp"
#include "report.hpp"

namespace trace = tracecodec::trace;

namespace {

using namespace examples;

struct options {
  std::string trace = {}, predictor = "bimodal";
  reading as = {};
  pipeline part = {};
  std::uint64_t warmup = 0;
  frontend::sizes of_tables = {};
  bool as_json = false;
};

// Runs the front end on a batch. Resets the front end's counts once `warmup` instructions were
// processed. Returns the number of instructions in the batch that have dropped operands.
std::uint64_t simulate(frontend::any_front_end& cpu, const feed::column_batch& batch,
                       std::uint64_t& warmup) {
  const auto cold = static_cast<std::size_t>(std::min<std::uint64_t>(batch.size(), warmup));
  warmup -= cold;
  cpu.run(batch.first(cold));
  if (cold != 0 && warmup == 0) cpu.forget_counts();
  cpu.run(batch.drop(cold));
  if (!batch.all().requested().has(feed::column::dropped_operands)) return 0;
  const auto lost = batch.all().dropped_operands().subspan(batch.begin_row(), batch.size());
  return static_cast<std::uint64_t>(
      std::count_if(lost.begin(), lost.end(), [](std::uint64_t n) { return n != 0; }));
}

// Runs a front end over the trace and prints the counts. If an error ended the feed early, prints
// the counts first and then throws the error.
void run_with(frontend::any_front_end& cpu, any_rows& trace, const options& o, frontend::result r) {
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t warmup = o.warmup, clipped = 0;
  std::exception_ptr failure;
  {
    progress_line progress(o.trace);
    failure = for_each_batch(trace, [&](const feed::column_batch& batch) {
      clipped += simulate(cpu, batch, warmup);
      r.run += batch.size();
      progress.at(trace.progress());
    });
  }
  if (failure && r.run == 0) std::rethrow_exception(failure);
  const auto require_some = [&](std::uint64_t n) {
    if (n == 0)
      throw tracecodec::trace_error(tracecodec::trace_errc::refused, {r.trace},
                                    "nothing to count: the trace ends too early");
  };
  require_some(r.run);
  // If the trace ended during the warm-up, only warm-up events were counted, so discard the counts.
  if (warmup != 0) cpu.forget_counts();

  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  r.predictor = cpu.name();
  r.of_tables = o.of_tables;
  if (cpu.default_size() != 0 && !r.of_tables.table) r.of_tables.table = cpu.default_size();
  r.counted = &cpu.counted();
  output out;
  (o.as_json ? frontend::write_json : frontend::write_text)(out.text, r);
  out.finish();
  if (clipped != 0)
    note("frontend_sim",
         some(clipped, "instruction") + " had more operands than a ChampSim record holds");
  if (failure) std::rethrow_exception(failure);
  require_some(r.counted->instructions);
}

std::unique_ptr<frontend::any_front_end> front_end_with(const std::string& predictor,
                                                        const frontend::sizes& s) {
  if (predictor == "gshare") return frontend::with_gshare(s);
  if (predictor == "hashed-perceptron") return frontend::with_hashed_perceptron(s);
  if (predictor == "tage") return frontend::with_tage(s);
  if (predictor == "always-taken") return frontend::with_always_taken(s);
  return frontend::with_bimodal(s);
}

void run_all(const options& o) {
  trace::source in = open_trace(o.trace, o.as);
  frontend::result r;
  r.trace = in.name();
  r.format = in.format().name;
  // If the format supports record tables, do not read the column of dropped operands. Such formats
  // never drop operands, and reading the column would take 5 % of the time.
  const bool loses = !in.format().takes_tables;
  const auto columns = trace::open_columns(std::move(in), o.as);
  using feed::column;
  r.has_branches = columns->has().has(column::branch);
  columns->want((columns->has() & feed::branch_columns) |
                feed::column_set{column::ip, column::memory} |
                (loses ? feed::column_set{column::dropped_operands} : feed::column_set{}));
  auto trace = piped(*columns, o.part);
  run_with(*front_end_with(o.predictor, o.of_tables), trace, o, r);
}

// Adds an option for a size from `least` to `most`. If `power_of_two` is true, the size, `least`
// and `most` must be powers of two.
template <class Size> void add_size(command_line& app, const std::string& name, Size& to,
                                    std::size_t least, std::size_t most, bool power_of_two,
                                    const std::string& text) {
  const auto set = [=, &to](const std::string& s) {
    const auto n = count_of(s);
    if (!n || *n < least || *n > most || (power_of_two && (*n & (*n - 1)) != 0)) return false;
    to = static_cast<std::size_t>(*n);
    return true;
  };
  add_value(app, name, "N", set, text,
            std::string(power_of_two ? "a power of two" : "a number") + " from " +
                std::to_string(least) + " to " + std::to_string(most));
}

void add_sizes(command_line& app, frontend::sizes& to) {
  constexpr std::size_t million = std::size_t{1} << 20;
  add_size(
      app, "--table-size", to.table, 64, million, true,
      "Set the entries of each table of the direction predictor (default 16384; 4096 for each of "
      "hashed-perceptron's 16 tables). The 12 tagged tables of tage have a 16th as many as "
      "its first");
  add_size(app, "--btb-sets", to.btb_sets, 1, 65536, true,
           "Set the number of sets of the branch target buffer (default 1024)");
  add_size(app, "--btb-ways", to.btb_ways, 1, 64, false,
           "Set the entries of each set of the branch target buffer (default 8)");
  add_size(app, "--ras-size", to.ras, 1, 65536, false,
           "Set the calls that the return address stack holds (default 64)");
  add_size(app, "--indirect-size", to.indirect, 2, million, true,
           "Set the entries of the table of indirect targets (default 4096)");
}

int start(int argc, char** argv) {
  options o;
  command_line app(
      "Simulates ChampSim's branch prediction, fetch blocks and a 32 KiB instruction cache on a "
      "trace of any format.",
      "frontend_sim");
  app.add_example("--predictor tage trace.champsimtrace.xz",
                  "Print branches, MPKI and cache misses with the predictor TAGE.");
  app.add_example("--warmup 1000000 --limit 11000000 --json trace.tpack",
                  "Count 10 million instructions after a warm-up of 1 million, as JSON.");
  app.exit_status(exit_statuses);
  add_trace(app, o.trace).required();
  app.begin_group("Model");
  add_choice(
      app, "--predictor",
      {{"bimodal", {}},
       {"gshare", {}},
       {"hashed-perceptron", {"hashed_perceptron", "perceptron"}},
       {"tage", {}},
       {"always-taken", {}}},
      [&o](const std::string& name) { o.predictor = name; },
      "Predict directions with this predictor (default bimodal)");
  add_sizes(app, o.of_tables);
  add_slice(app, o.part);
  add_count(
      app, "--warmup", o.warmup,
      "Train the predictors with the first N instructions, which are not counted; --limit includes "
      "them");
  add_rest(app, o.part);
  add_format(app, o.as);
  add_reading(app, o.as);
  app.begin_group("Output");
  app.add_flag("--json", o.as_json, "Print one JSON object");
  if (!app.parse(with_repeats_counted(argc, argv))) return 0;
  if (o.part.repeat == feed::endless && !o.part.limit)
    throw usage_error("--repeat without a number never ends: add --limit");
  if (o.predictor == "always-taken" && o.of_tables.table)
    throw usage_error("always-taken has no table: leave out --table-size");
  run_all(o);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run("frontend_sim", [&] { return start(argc, argv); });
}
