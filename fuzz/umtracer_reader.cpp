// The reader of UMTracer traces, asked for everything it offers, and the check. The input is a
// container of the eleven files; bit 0 of its choice: the lenient reader; bits 1 and 2: each record
// is also asked for what its type has not; bit 3: it is checked even if it cannot be read in full.
#include "tracecodec/umtracer/check.hpp"
#include "umtracer/container.hpp"
#include "umtracer/walk.hpp"

namespace fuzz::umtracer_reader {
namespace {

// Whether the trace is read in full.
bool read(const container& all, bool lenient, test::ask what) {
  std::optional<umtracer::reader> r;
  if (error_of([&] { r.emplace(files_of(all), umtracer::reader_options{.lenient = lenient}); }))
    return false;
  const test::walked w = test::walk(*r, r->registers().size() + 2U, what);
  require(w.errors < test::nameless, "errors name the file");
  return w.errors == 0;
}

// Whether a report is of what a reader cannot read. Other rules are of tables and records against
// each other, or of values; and some of these rules ask for more than a reader needs.
bool is_unreadable(const tracecodec::diagnostic& d) {
  const auto says = [&d](std::string_view s) { return d.message.find(s) != std::string::npos; };
  // A reader takes a count of 0 at its word, and only ins.itable's extra area is one to it.
  if (d.code == "row-count") return !says(": 0 rows, ");
  if (d.code == "extra-area") return !says("module.itable");
  if (d.code == "text" || d.code == "module-name") return !says("does not end with 0");
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
  const test::ask what = (all.choice & 6U) == 6 ? test::ask::all : test::ask::own;
  const bool strict = read(all, lenient, what) && !lenient;
  if (!strict && (all.choice & 8U) == 0) return;
  std::uint64_t reports = 0, unreadable = 0;
  umtracer::check(files_of(all), [&](const tracecodec::diagnostic& d) {
    ++reports;
    unreadable += is_unreadable(d) ? 1U : 0U;
  });
  require(reports <= 6 * umtracer::check_rules.size(), "reports are bounded");
  require(!strict || unreadable == 0, "what is read in full is no error");
}
const target registered("umtracer_reader", run);
}  // namespace
}  // namespace fuzz::umtracer_reader
