// Compares two traces, of the same format or of two: thread by thread, aligned by ip.
#include <tracecodec/feed/open.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "common/command_line.hpp"
#include "common/text.hpp"
#include "diff/report.hpp"

namespace {

using namespace examples;
namespace feed = tracecodec::feed;

struct options {
  std::string a = {}, b = {};
  reading as = {};
  feed::diff_options how = {};
  std::vector<std::string> ignored = {};
  std::uint64_t most = 10;
  bool as_json = false;
};

// Threads of a trace in the order in which they first run. nullopt: all of it, of a format or an
// input of which no thread can be chosen.
std::vector<std::optional<std::uint32_t>> threads_of(const std::string& path, const reading& as) {
  if (path == "-" || as.thread) return {as.thread};
  feed::trace_source in(path, as);
  const feed::format f = in.format();
  if (f == feed::format::champsim || f == feed::format::cloudsuite) return {std::nullopt};
  std::vector<std::optional<std::uint32_t>> all;
  try {
    feed::visit(std::move(in), as, [&](auto trace) {
      for (const auto& i : trace)
        if (std::find(all.begin(), all.end(), i.asid()) == all.end()) all.emplace_back(i.asid());
    });
  } catch (const tracecodec::trace_error&) {
    // It is thrown again where it is compared.
  }
  if (all.empty()) all.emplace_back();
  return all;
}

feed::diff_source open(const std::string& path, reading as, std::optional<std::uint32_t> thread) {
  as.thread = thread;
  return feed::visit(path, as, [](auto trace) { return feed::diff_source(std::move(trace)); });
}

// Whether they are the same.
bool compare(const options& o, output& out) {
  const auto wants = [&](const char* what) {
    return std::find(o.ignored.begin(), o.ignored.end(), what) == o.ignored.end();
  };
  const feed::differences wanted{wants("registers"), wants("memory"), wants("outcome")};
  auto a = threads_of(o.a, o.as), b = threads_of(o.b, o.as);
  if (!a[0] || !b[0]) a = b = {o.as.thread};
  diff::report report(out, wanted, o.most, o.as_json);
  feed::diff_summary sum;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a.size() + b.size() > 2 && !o.as_json)
      out.text += "thread " + (a[i] ? std::to_string(*a[i]) : "") + " | " +
                  (b[i] ? std::to_string(*b[i]) : "") + '\n';
    sum += feed::diff(
        open(o.a, o.as, a[i]), open(o.b, o.as, b[i]), o.how,
        [&](const auto& x, const auto& y, feed::differences d) { report.differs(x, y, d); },
        [&](const feed::divergence& d) { report.diverges(d); });
  }
  const bool same = sum.divergences == 0 && report.differing() == 0 && a.size() == b.size();
  if (a.size() != b.size() && !o.as_json)
    out.text += some(a.size(), "thread") + " | " + some(b.size(), "thread") + '\n';
  diff::write_summary(out.text, o.a, o.b, sum, wanted, same, o.as_json);
  out.finish();
  return same;
}

// Sets `same` when they are compared.
int start(int argc, char** argv, std::optional<bool>& same) {
  options o;
  CLI::App app(
      "Compares two traces, of the same format or of two: thread by thread, aligned by ip. "
      "Prints where they part and meet again, and how instructions at the same ip differ. Numbers "
      "are instructions of the thread, of the first trace and of the second. The exit status is 0 "
      "if they are the same, 1 if they differ, 2 if they could not be compared.",
      "trace_diff");
  app.add_option("A", o.a, "The traces; - is standard input, as one thread")
      ->required()
      ->type_name("");
  app.add_option("B", o.b, "")->required()->type_name("");
  app.add_option("--ignore", o.ignored, "Leave differences of this kind aside")
      ->check(CLI::IsMember({"registers", "memory", "outcome"}))
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("registers|memory|outcome");
  std::uint64_t window = o.how.window, context = o.how.context;
  add_count(app, "--window", window, "Search so many instructions for where they meet again");
  add_count(app, "--context", context, "Show so many instructions before a divergence");
  add_count(app, "--most", o.most, "Print so many differences and divergences (default 10)");
  add_reading(app, o.as);
  app.add_flag("--json", o.as_json, "Print the summary alone, as one JSON object");
  if (!parse(app, arguments(argc, argv))) return 0;
  if (window < o.how.run || window > (std::uint64_t{1} << 28))
    throw usage_error("--window is from " + std::to_string(o.how.run) + " to 268435456");
  o.how.window = static_cast<std::size_t>(window);
  o.how.context = static_cast<std::size_t>(std::min<std::uint64_t>(context, 1000));
  if (o.a == "-" && o.b == "-") throw usage_error("standard input is one trace");
  output out;
  same = compare(o, out);
  return *same ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::optional<bool> same;
  const int code = examples::run("trace_diff", [&] { return start(argc, argv, same); });
  return code != 0 && !same ? 2 : code;
}
