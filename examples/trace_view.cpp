// Shows a trace: its records in detail, as compact rows or as JSON, its statistics, and the layout
// of its records.
#include <tracecodec/feed/open.hpp>

#include "common/pipeline.hpp"
#include "common/progress.hpp"
#include "common/text.hpp"
#include "view/champsim_rows.hpp"
#include "view/layouts.hpp"
#include "view/rapidbin_rows.hpp"
#include "view/rapidbin_statistics.hpp"
#include "view/statistics.hpp"
#if TRACECODEC_OPENS_X64DBG
#include "view/x64dbg_rows.hpp"
#endif

namespace {

using namespace examples;

struct options {
  std::string trace = {};
  reading as = {};
  std::optional<std::uint64_t> count = {};
  std::uint64_t skip = 0;
  bool compact = false, statistics = false, as_json = false, layout = false;
};

constexpr const char* legend = R"(
Rows of -c, whose empty parts are left out:
  BR(T) BR(N)   a branch by the record's own flag, taken or not taken
  D_R[] S_R[]   destination and source registers
  D_M[] S_M[]   destination and source memory
  ASID[]        address space (CloudSuite)
  T[]           thread (x64dbg, RapidBin); then the instruction in Intel's syntax, or the event,
                its operand (L lock, V variable, T thread) and its location
Lines of --json, ChampSim: index; the record's fields by name, arrays with their unused slots (0),
addresses as "0x..." text; branch and target as ChampSim derives them, target "0x0" if there is
none. x64dbg: index, offset, thread (or null), opcode, ip; registers, the words that the block
gives, as [word, value]; memory, a list of address, old and new, which is null if nothing changed.
RapidBin: index, thread, operation, decor, location; sign if it is set; from the metadata function,
instruction, and address and access_width of a variable or the id of a lock.)";

// Counts in `clipped` the instructions whose feed could not show all operands.
template <class Feed, class Add> std::exception_ptr show_rows(Feed& trace, const options& o,
                                                              output& out, std::uint64_t& clipped,
                                                              Add add) {
  progress_line progress(o.trace, true);
  std::uint64_t index = o.skip;
  return for_each_batch(trace, [&](const auto& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto row = batch[i];
      add(out.text, index++, row);
      if constexpr (requires { row.lost_operands(); }) clipped += row.lost_operands() != 0;
      out.passed();
    }
    progress.at(trace.progress());
  });
}

// What is counted: events, where a trace has them, or instructions.
template <class Batch>
concept of_events = requires(Batch b) {
  b.events();
};
template <class Batch> using statistics_of =
    std::conditional_t<of_events<Batch>, view::rapidbin_statistics, view::statistics>;

template <class Feed>
std::exception_ptr show_statistics(Feed& trace, const options& o, output& out) {
  progress_line progress(o.trace);
  statistics_of<typename Feed::batch_type> n;
  const std::exception_ptr failure = for_each_batch(trace, [&](const auto& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) n.add(batch[i]);
    progress.at(trace.progress());
  });
  const std::string name = o.trace == "-" ? "<stdin>" : o.trace;
  if (failure && n.instructions == 0) return failure;
  if (o.as_json)
    view::add_json(out.text, name, n);
  else
    view::add_text(out.text, name, n);
  return failure;
}

// What was read before an error is printed before the error is.
template <class Feed> void show(Feed whole, const options& o) {
  pipeline part;
  part.skip = o.skip;
  const std::uint64_t wanted = o.count.value_or(o.as_json ? 0 : 10);
  if (!o.statistics && wanted != 0) part.limit = wanted;
  auto trace = piped(std::move(whole), part);

  output out;
  std::exception_ptr failure;
  std::uint64_t clipped = 0;
  using string = std::string;
  if (o.statistics)
    failure = show_statistics(trace, o, out);
  else if (o.as_json)
    failure = show_rows(trace, o, out, clipped,
                        [](string& s, auto n, const auto& i) { view::add_json(s, n, i); });
  else if (o.compact)
    failure = show_rows(trace, o, out, clipped,
                        [](string& s, auto n, const auto& i) { view::add_compact(s, n, i); });
  else
    failure = show_rows(trace, o, out, clipped,
                        [](string& s, auto n, const auto& i) { view::add_detail(s, n, i); });
  out.finish();
  if (clipped != 0 && !o.as_json)  // a line of JSON has the block's own operands
    note("trace_view",
         some(clipped, "instruction") + " had more operands than a ChampSim record holds");
  if (failure) std::rethrow_exception(failure);
}

// Of the format that is named, or else of the trace's, or else the standard one.
void print_layout(const options& o) {
  auto format = o.as.format.value_or(feed::format::champsim);
  bool narrow = false;
  if (!o.trace.empty()) {
    auto in = tracecodec::io::open_input(o.trace, o.as.input);
    if (!o.as.format) format = feed::recognise(in);
#if TRACECODEC_OPENS_X64DBG
    tracecodec::io::window window(std::move(in));
    if (format == feed::format::x64dbg)
      narrow = view::x64dbg::read_header(window).arch == view::x64dbg::target::x86;
#endif
  }
  std::string s;
  view::add_layout(s, format, narrow);
  print(s);
}

int start(int argc, char** argv) {
  options o;
  CLI::App app("Shows a trace: each record in detail, unless an option says otherwise.",
               "trace_view");
  app.footer(legend);
  add_trace(app, o.trace);
  add_count(app, "-n", o.count, "How many records; 0 is all (default 10, with --json all)");
  add_count(app, "--skip", o.skip, "Leave out the first N records");
  app.add_flag("-c", o.compact, "A compact row for each record");
  app.add_flag("-s", o.statistics, "Statistics of the whole trace; ignores -n");
  app.add_flag("--json", o.as_json, "A JSON object for each record, or for -s");
  app.add_flag("--layout", o.layout, "Print how a record is laid out");
  add_format(app, o.as);
  add_reading(app, o.as);
  const std::vector<std::string> line(argv, argv + argc);
  if (!parse(app, line)) return 0;
  const bool several = o.compact ? o.statistics || o.as_json : o.layout && o.statistics;
  if (several || (o.layout && (o.compact || o.as_json)))
    throw usage_error("-c, -s, --json and --layout are different views: choose one");
  if (!o.layout && o.trace.empty()) throw usage_error("TRACE is required");
  o.as.registers = !o.compact && !o.statistics && !o.as_json;
  if (o.layout)
    print_layout(o);
  else
    feed::visit(tracecodec::io::open_input(o.trace, o.as.input), o.as,
                [&](auto trace) { show(std::move(trace), o); });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run("trace_view", [&] { return start(argc, argv); });
}
