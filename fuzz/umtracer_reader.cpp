// Tests all functions of the reader of UMTracer traces, and the check. The input is a container of
// the eleven files. In the container's choice, bit 0 selects the lenient reader. If bits 1 and 2
// are both set, all accessors are called on each record, including accessors for fields that the
// record's type does not have. With bit 3, a trace that cannot be read completely is checked, too.
#include <algorithm>

#include "tracecodec/umtracer/check.hpp"
#include "umtracer/container.hpp"
#include "umtracer/walk.hpp"

namespace fuzz::umtracer_reader {
namespace {

// True if the trace can be read completely.
bool read(const container& all, bool lenient, test::calls what) {
  std::optional<umtracer::reader> r;
  if (error_of([&] { r.emplace(files_of(all), umtracer::reader_options{.lenient = lenient}); }))
    return false;
  const test::walked w = test::walk(*r, r->registers().size() + 2U, what);
  require(w.errors < test::nameless, "errors name the file");
  return w.errors == 0;
}

// True if a table states a count of 0 rows but has rows. A reader trusts the count, but the check
// examines the rows.
bool counts_none(const tracecodec::diagnostic& d) {
  return d.code == "row-count" && d.message.find(": 0 rows, ") != std::string::npos;
}

// True if the report concerns something that a reader cannot read. Other rules compare tables and
// records, or examine values. Some of the rules here are stricter than a reader.
bool is_unreadable(const tracecodec::diagnostic& d, bool modules_read) {
  const auto says = [&d](std::string_view s) { return d.message.find(s) != std::string::npos; };
  if (d.code == "row-count") return !counts_none(d);
  // The reader needs only ins.itable's extra area.
  if (d.code == "extra-area") return !says("module.itable");
  if (d.code == "module-name" && !modules_read) return false;
  if (d.code == "text" || d.code == "module-name") return !says("is unterminated");
  if (d.code == "syscall-record") return !says(" is inside the fields");
  if (d.code == "context") return !says(" inside the context's fields");
  constexpr std::array<std::string_view, 7> others{"damaged",       "missing-file",  "table",
                                                   "decoded",       "record-offset", "record-short",
                                                   "instruction-id"};
  return std::find(others.begin(), others.end(), d.code) != others.end();
}

void run(view in) {
  const container all = unpack(in);
  const bool lenient = (all.choice & 1U) != 0;
  const test::calls what = (all.choice & 6U) == 6 ? test::calls::all : test::calls::own;
  const bool strict = read(all, lenient, what) && !lenient;
  if (!strict && (all.choice & 8U) == 0) return;
  std::uint64_t reports = 0, unreadable = 0;
  bool modules_read = true;
  umtracer::check(files_of(all), [&](const tracecodec::diagnostic& d) {
    ++reports;
    if (counts_none(d) && d.message.starts_with("module.itable")) modules_read = false;
    unreadable += is_unreadable(d, modules_read) ? 1U : 0U;
  });
  require(reports <= 6 * umtracer::check_rules.size(), "reports are bounded");
  require(!strict || unreadable == 0, "what is read in full is no error");
}
const target registered("umtracer_reader", run);
}  // namespace
}  // namespace fuzz::umtracer_reader
