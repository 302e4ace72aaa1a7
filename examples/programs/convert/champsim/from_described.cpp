// Converts records that a record table (--record) describes to ChampSim or CloudSuite records.
#include <tracecodec/champsim/table_feed.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "conversion.hpp"
#include "losses.hpp"
#include "record_output.hpp"
#include "records.hpp"

namespace convert {

namespace {

template <class Record> class made_records {
 public:
  std::span<const Record> operator()(const champsim::table_batch& from) {
    made_.resize(from.size());
    for (std::size_t i = 0; i != from.size(); ++i) add(from[i], made_[i]);
    return made_;
  }
  void report_losses() const {
    report(lost_, has_asid, say);
    if (large_ != 0)
      say(some(large_, "instruction") +
          " had register numbers above 255, which a record cannot store");
  }

 private:
  static constexpr bool has_asid = requires(Record r) { r.asid; };

  void add(const champsim::table_instruction& i, Record& to) {
    const std::uint64_t lost = i.as_record(to), large = i.dropped_operands();
    lost_.clipped += lost != large;
    large_ += large != 0;
    lost_.switches += lost_.thread && *lost_.thread != i.asid();
    lost_.thread = i.asid();
    lost_.branches += i.is_branch();
  }

  std::vector<Record> made_ = {};
  tracecodec::trace::record_losses lost_ = {};
  std::uint64_t large_ = 0;  // number of instructions with register numbers above 255
};

template <class Record>
void write_described(tracecodec::trace::source in, const options& o, io::codec compression) {
  require_known_options(in, o.as);
  const tracepack::about about = about_packed<Record>(in, o, 0);
  champsim::table_feed from(std::move(in.input()), in.record(),
                            {.rules = champsim::branch_rules::current,
                             .threads = !in.format().thread.empty(),
                             .warn = o.as.warn,
                             .note = o.as.note,
                             .trust = true});
  record_output<Record> out(o, compression, about);
  made_records<Record> made;
  const auto failure =
      for_each_record(from, o, [&](const champsim::table_batch& b) { out.write(made(b)); });
  made.report_losses();
  finish(out, out.written(), failure, o);
}

}  // namespace

void described_to_records(tracecodec::trace::source in, const options& o, const format& to,
                          io::codec compression) {
  if (&to == &champsim::cloudsuite_descriptor::facts)
    write_described<champsim::cloudsuite_instruction>(std::move(in), o, compression);
  else
    write_described<champsim::instruction>(std::move(in), o, compression);
}

}  // namespace convert
