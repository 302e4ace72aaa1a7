// Checks traces against the rules that a sound one keeps, and says where they break them. What it
// finds is the library's: each format's check().
#include <cstdint>
#include <limits>
#include <string>
#include <tracecodec/champsim/check.hpp>
#include <tracecodec/feed/open.hpp>
#include <tracecodec/rapidbin/check.hpp>
#include <tracecodec/umtracer/check.hpp>
#if TRACECODEC_OPENS_X64DBG
#include <tracecodec/x64dbg/check.hpp>
#endif
#include <vector>

#include "common/command_line.hpp"
#include "common/json.hpp"
#include "common/progress.hpp"
#include "common/text.hpp"

namespace {

using namespace examples;
namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
namespace rapidbin = tracecodec::rapidbin;
namespace umtracer = tracecodec::umtracer;
namespace x64dbg = tracecodec::x64dbg;
using tracecodec::diagnostic;
using tracecodec::severity;

struct options {
  std::vector<std::string> traces = {};
  reading as = {};
  bool as_json = false, all = false;
};

// FILE: severity: code: offset N, record N: message
void add_text(std::string& s, const std::string& file, const diagnostic& d) {
  s += file + ": " + std::string(name(d.severity)) + ": " + std::string(d.code) + ": ";
  if (d.offset) s += "offset " + std::to_string(*d.offset) + (d.record ? ", " : ": ");
  if (d.record) s += "record " + std::to_string(*d.record) + ": ";
  s += d.message + '\n';
}

void add_json(std::string& s, const std::string& file, const diagnostic& d) {
  json j(s);
  j.object().key("file").string(file).key("severity").string(name(d.severity));
  j.key("code").string(d.code);
  if (d.offset) j.key("offset").number(*d.offset);
  if (d.record) j.key("record").number(*d.record);
  j.key("message").string(d.message).end_object();
  s += '\n';
}

// `sum` is a format's check_summary, of a trace of so many `records`.
template <class Summary> void add_summary(std::string& s, const std::string& file,
                                          std::uint64_t records, const Summary& sum, bool as_json) {
  const std::uint64_t errors = sum.count(severity::error), notes = sum.count(severity::note);
  const std::uint64_t warnings = sum.count(severity::warning);
  if (as_json) {
    json j(s);
    j.object().key("file").string(file).key("records").number(records);
    j.key("errors").number(errors).key("warnings").number(warnings);
    j.key("notes").number(notes).end_object();
    s += '\n';
    return;
  }
  s += file + ": " + some(records, "record") + ", " + some(errors, "error") + ", " +
       some(warnings, "warning") + ", " + some(notes, "note") + '\n';
}

// Whether no error was found.
bool check_one(const std::string& path, const options& o, output& out) {
  feed::trace_source from(path, o.as);
  const std::string& file = from.name();
  const auto format = from.format();
  const auto report = [&](const diagnostic& d) {
    (o.as_json ? add_json : add_text)(out.text, file, d);
    out.passed();
  };
  progress_line progress(file, true);
  tracecodec::check_options how;
  if (o.all) how.each = std::numeric_limits<std::uint64_t>::max();
  how.progress = [&](std::optional<double> done) { progress.at(done); };
  const auto finish = [&](std::uint64_t records, const auto& sum) {
    add_summary(out.text, file, records, sum, o.as_json);
    return sum.count(severity::error) == 0;
  };
  if (format == feed::format::umtracer) {
    const auto sum = umtracer::check(path, report, how);
    return finish(sum.records, sum);
  }
  auto in = std::move(from.input());
  if (format == feed::format::x64dbg) {
#if TRACECODEC_OPENS_X64DBG
    const auto sum = x64dbg::check(std::move(in), report, how);
    return finish(sum.instructions, sum);
#else
    feed::refuse_x64dbg(in);
#endif
  }
  if (feed::has_events(format)) {
    const auto names = feed::metadata_of(file, o.as);
    const auto* known = names ? &*names : nullptr;
    const auto sum = format == feed::format::std
                         ? rapidbin::check_std(std::move(in), report, how, known)
                         : rapidbin::check(std::move(in), report, how, known);
    return finish(sum.events, sum);
  }
  const auto sum =
      format == feed::format::cloudsuite
          ? champsim::check<champsim::cloudsuite_instruction>(std::move(in), report, how)
          : champsim::check<champsim::instruction>(std::move(in), report, how);
  return finish(sum.records, sum);
}

int start(int argc, char** argv) {
  options o;
  CLI::App app(
      "Checks traces. Prints a line for each finding and one for each trace; the exit "
      "status is 1 if there is an error among them.",
      "trace_check");
  app.add_option("TRACE", o.traces, "The traces; - is standard input")->required()->type_name("");
  app.add_flag("--all", o.all, "Report each finding, not only the first 5 of a kind");
  app.add_flag("--json", o.as_json, "Print each line as a JSON object");
  add_format(app, o.as);
  add_metadata(app, o.as);
  const auto line = arguments(argc, argv);
  if (!parse(app, line)) return 0;

  bool sound = true;
  output out;
  for (const std::string& path : o.traces) {
    try {
      sound &= check_one(path, o, out);
    } catch (const tracecodec::trace_error& e) {
      // Unreadable, or like no trace: the others are checked all the same.
      sound = false;
      complain("trace_check", e.what());
      if (o.as_json)
        add_json(out.text, e.file(),
                 {severity::error, "unreadable", e.offset(), e.record(), e.message()});
    }
  }
  out.finish();
  return sound ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run("trace_check", [&] { return start(argc, argv); });
}
