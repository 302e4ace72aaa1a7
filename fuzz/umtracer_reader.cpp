// The reader of UMTracer traces, asked for everything it offers, and the check. The input is a
// container of the eleven files.
#include "tracecodec/umtracer/check.hpp"
#include "umtracer/container.hpp"
#include "umtracer/walk.hpp"

namespace fuzz::umtracer_reader {
namespace {

void run(view in) {
  const container all = unpack(in);
  bool strict = false;
  for (const bool lenient : {false, true}) {
    std::optional<umtracer::reader> r;
    const auto refused =
        error_of([&] { r.emplace(files_of(all), umtracer::reader_options{.lenient = lenient}); });
    if (refused) continue;
    const test::walked w = test::walk(*r, r->registers().size() + 2U);
    require(w.errors < test::nameless, "errors name the file");
    strict |= !lenient && w.errors == 0;
  }
  std::uint64_t reports = 0;
  const auto found =
      umtracer::check(files_of(all), [&reports](const tracecodec::diagnostic&) { ++reports; });
  require(reports <= 6 * umtracer::check_rules.size(), "reports are bounded");
  if (!strict) return;
  // What the reader cannot read; other rules are of tables and records against each other.
  using umtracer::rule;
  for (const rule r : {rule::missing_file, rule::damaged, rule::record_offset, rule::record_short})
    require(found.count(r) == 0, "what is read in full is no error");
}
const target registered("umtracer_reader", run);
}  // namespace
}  // namespace fuzz::umtracer_reader
