// Simulates a decoupled front end on a trace: branch prediction exactly as ChampSim's, fetch blocks
// and an instruction cache. The parts are the policies in frontend/.
#include <chrono>
#include <memory>
#include <tracecodec/feed/open.hpp>

#include "common/pipeline.hpp"
#include "common/progress.hpp"
#include "common/text.hpp"
#include "frontend/direction.hpp"
#include "frontend/front_end.hpp"
#include "frontend/report.hpp"

namespace {

using namespace examples;

struct options {
  std::string trace = {}, predictor = "bimodal";
  reading as = {};
  pipeline part = {};
  std::uint64_t warmup = 0;
  bool as_json = false;
};

// Gives a batch to the front end; its counts begin behind the first `warmup` instructions. Returns
// how many instructions have lost operands.
template <class FrontEnd, class Batch>
std::uint64_t simulate(FrontEnd& cpu, const Batch& batch, std::uint64_t& warmup) {
  const std::size_t n = batch.size();
  const auto cold = static_cast<std::size_t>(std::min<std::uint64_t>(n, warmup));
  std::uint64_t clipped = 0;
  const auto step = [&](const auto& i) {
    cpu.step(i);
    clipped += feed::lost_operands(i) != 0;
  };
  for (std::size_t i = 0; i < cold; ++i) step(batch[i]);
  warmup -= cold;
  if (cold != 0 && warmup == 0) cpu.forget_counts();
  for (std::size_t i = cold; i < n; ++i) step(batch[i]);
  return clipped;
}

// Runs one kind of front end over the feed and prints what it counted. An error that ends the feed
// early is thrown after that.
template <class Direction, class Feed>
void run_with(Feed& trace, const options& o, frontend::result r) {
  const auto cpu = std::make_unique<frontend::front_end<Direction>>();  // large for a stack
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t warmup = o.warmup, clipped = 0;
  std::exception_ptr failure;
  {
    progress_line progress(o.trace);
    failure = for_each_batch(trace, [&](const auto& batch) {
      clipped += simulate(*cpu, batch, warmup);
      r.run += batch.size();
      progress.at(trace.progress());
    });
  }
  if (failure && r.run == 0) std::rethrow_exception(failure);
  const auto require_some = [&](std::uint64_t n) {
    if (n == 0)
      throw tracecodec::trace_error(tracecodec::trace_errc::refused, {r.trace},
                                    "nothing to count: the trace ends before");
  };
  require_some(r.run);
  if (warmup != 0) cpu->forget_counts();  // the trace ended before the warm-up did

  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  r.predictor = Direction::name;
  r.has_branches = feed::has_branches<typename Feed::batch_type::value_type>();
  r.counted = &cpu->counted();
  output out;
  (o.as_json ? frontend::write_json : frontend::write_text)(out.text, r);
  out.finish();
  if (clipped != 0)
    note("frontend_sim",
         some(clipped, "instruction") + " had more operands than a ChampSim record holds");
  if (failure) std::rethrow_exception(failure);
  require_some(r.counted->instructions);
}

void run_all(const options& o) {
  feed::trace_source in(o.trace, o.as);
  frontend::result r;
  r.trace = in.name();
  r.format = name(in.format());
  feed::visit(std::move(in), o.as, [&](auto whole) {
    auto trace = piped(std::move(whole), o.part);
    if (o.predictor == "gshare")
      run_with<frontend::gshare>(trace, o, r);
    else if (o.predictor == "always-taken")
      run_with<frontend::always_taken>(trace, o, r);
    else
      run_with<frontend::bimodal>(trace, o, r);
  });
}

int start(int argc, char** argv) {
  options o;
  CLI::App app(
      "Simulates ChampSim's branch prediction, fetch blocks and a 32 KiB instruction cache "
      "on a trace.",
      "frontend_sim");
  add_trace(app, o.trace)->required();
  add_choice(
      app, "--predictor", {{"bimodal", {}}, {"gshare", {}}, {"always-taken", {}}},
      [&o](const std::string& name) { o.predictor = name; },
      "Direction predictor; bimodal is the default");
  add_slice(app, o.part);
  add_count(app, "--warmup", o.warmup,
            "The first N instructions train the predictors and are not counted; --limit includes "
            "them");
  add_rest(app, o.part);
  add_format(app, o.as);
  add_reading(app, o.as);
  app.add_flag("--json", o.as_json, "Print one JSON object");
  if (!parse(app, with_repeats_counted(argc, argv))) return 0;
  if (o.part.repeat == feed::endless && !o.part.limit)
    throw usage_error("--repeat without a number never ends: give --limit too");
  run_all(o);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run("frontend_sim", [&] { return start(argc, argv); });
}
