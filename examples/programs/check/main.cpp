// Checks traces against the rules of their formats, and prints the violations. The check() function
// of each format finds the violations.
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/command_line.hpp"
#include "../common/described.hpp"
#include "../common/json.hpp"
#include "../common/open_trace.hpp"
#include "../common/output.hpp"
#include "../common/progress.hpp"
#include "../common/text.hpp"
#include "check_other.hpp"
#include "missing_records.hpp"

namespace {

using namespace examples;
namespace trace = tracecodec::trace;
using tracecodec::diagnostic;
using tracecodec::severity;

struct options {
  std::vector<std::string> traces = {};
  reading as = {};
  bool as_json = false, all = false;
};

// Appends a finding as text, such as "FILE: severity: code: offset N, record N: message".
void add_text(std::string& s, const std::string& file, const diagnostic& d) {
  s += printable(file) + ": " + std::string(name(d.severity)) + ": " + std::string(d.code) + ": ";
  if (d.offset) s += "offset " + std::to_string(*d.offset) + (d.record ? ", " : ": ");
  if (d.record) s += "record " + std::to_string(*d.record) + ": ";
  s += printable(with_options(d.message)) + '\n';
}

void add_json(std::string& s, const std::string& file, const diagnostic& d) {
  json j(s);
  j.object().key("file").string(file).key("severity").string(name(d.severity));
  j.key("code").string(d.code);
  if (d.offset) j.key("offset").number(*d.offset);
  if (d.record) j.key("record").number(*d.record);
  j.key("message").string(with_options(d.message)).end_object();
  s += '\n';
}

void add_summary(std::string& s, const std::string& file, const check::summary& sum, bool as_json) {
  if (as_json) {
    json j(s);
    j.object().key("file").string(file).key("records").number(sum.records);
    j.key("errors").number(sum.errors).key("warnings").number(sum.warnings);
    j.key("notes").number(sum.notes).end_object();
    s += '\n';
    return;
  }
  s += printable(file) + ": " + some(sum.records, "record") + ", " + some(sum.errors, "error") +
       ", " + some(sum.warnings, "warning") + ", " + some(sum.notes, "note") + '\n';
}

// Checks one trace, and returns true if no error was found.
bool check_one(const std::string& path, const options& o, output& out) {
  // Records without an ip are not instructions, so a file of such records is checked against its
  // record table. If the user has specified a format, the file is checked as a trace of that
  // format.
  reading as = o.as;
  take_own_table(path, as);
  const bool instructions = !as.record || as.format || as.record->find("ip") != nullptr;
  std::string file = path;
  const auto report = [&](const diagnostic& d) {
    (o.as_json ? add_json : add_text)(out.text, file, d);
    out.passed();
  };
  tracecodec::check_options how;
  if (o.all) how.each = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t each = how.each;
  // Check the rest of a damaged tracepack, too. Damaged frames are only reported and counted.
  std::uint64_t damaged = 0;
  std::map<std::string_view, std::uint64_t> damaged_by_code;
  check::missing_records missing;
  // Report each damaged frame once, even if the trace is opened a second time to examine its
  // content.
  as.own.set<tracecodec::tracepack::on_lost>(
      once_each([&](const tracecodec::tracepack::lost_records& e) {
        ++damaged;
        missing.add(e);
        const bool unknown = e.code() == tracecodec::trace_errc::unsupported;
        // A loss without a record number means that the tracepack's index is damaged.
        const std::string_view code = unknown       ? "unknown-frame"
                                      : !e.record() ? "damaged"
                                                    : "damaged-frame";
        if (++damaged_by_code[code] <= each)
          report({severity::error, code, e.offset(), e.record(), e.message()});
      }));
  progress_line progress(path, true);
  how.progress = [&](std::optional<double> done) { progress.at(done); };
  how.missing_before = [&](std::uint64_t record) { return missing.before(record); };
  const auto sound = [&](check::summary sum) {
    for (const auto& [code, n] : damaged_by_code)
      if (n > each)
        report(
            {severity::error, code, {}, {}, std::to_string(n - each) + " more: records are lost"});
    sum.errors += damaged;
    add_summary(out.text, file, sum, o.as_json);
    return sum.errors == 0;
  };
  std::optional<trace::source> trace;
  std::optional<tracecodec::file::table_reader> records;
  try {
    if (instructions)
      trace.emplace(open_trace(path, as));
    else
      records.emplace(open_described(path, as));
  } catch (const tracecodec::trace_error& e) {
    using tracecodec::trace_errc;
    std::optional<check::summary> sum;
    if (e.code() == trace_errc::not_a_trace || e.code() == trace_errc::corrupt ||
        e.code() == trace_errc::truncated)
      sum = check::check_bytes(path, as, report, how);
    if (!sum) throw;
    return sound(*sum);
  }
  file = instructions ? trace->name() : records->name();
  const bool packed = instructions ? trace->packed() != nullptr : about_of(path, as).has_value();
  // A packed record has no offset in the tracepack file, so the offset is omitted. Errors from the
  // reader ("cut", "damaged") keep their offsets.
  const auto report_found = [&](diagnostic d) {
    if (packed && d.record && d.code != "cut" && d.code != "damaged") {
      d.offset.reset();
      d.record = missing.number_of(*d.record);
    }
    report(d);
  };
  return sound(instructions ? tracecodec::trace::check(std::move(*trace), report_found, how, as)
                            : check::check_records(std::move(*records), report_found, how));
}

int start(int argc, char** argv) {
  options o;
  command_line app(
      "Checks traces against the rules of their formats. Prints a line for each finding and one "
      "for "
      "each trace.",
      "trace_check");
  app.add_example("*.champsimtrace.xz", "Check all traces of a folder.");
  app.add_example("--all --json trace.data", "Print every finding as a JSON object.");
  app.exit_status(std::string(exit_statuses) + "; 1 also if a finding is an error");
  app.add_argument("TRACE", o.traces, "The traces; - is standard input").required().type_name("");
  app.begin_group("Output");
  app.add_flag("--all", o.all, "Report every finding, not only the first 5 of each kind");
  app.add_flag("--json", o.as_json, "Print each line as a JSON object");
  add_format(app, o.as);
  add_own_options(app, o.as, option_use::files);
  const auto line = arguments(argc, argv);
  if (!app.parse(line)) return 0;

  bool sound = true;
  output out;
  for (const std::string& path : o.traces) {
    working_on = path;
    try {
      sound &= check_one(path, o, out);
    } catch (const tracecodec::trace_error& e) {
      // Continue after an error, so that the other files are also checked.
      sound = false;
      print_message("trace_check", e.what());
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
