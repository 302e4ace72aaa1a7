// Copies a ChampSim or CloudSuite trace in the same format, to extract a part of the trace or to
// change the compression.
#include <algorithm>
#include <vector>

#include "conversion.hpp"
#include "record_output.hpp"
#include "records.hpp"

namespace convert {

namespace {

// Writes records together with the instruction properties that a tracepack stores.
template <class Batch>
void write_known(auto& out, const Batch& batch, std::vector<tracepack::property>& known) {
  known.resize(batch.size());
  for (std::size_t i = 0; i != batch.size(); ++i) {
    const auto instruction = batch[i];
    const auto code = instruction.code();
    tracepack::property& p = known[i];
    p = {.branch = static_cast<std::uint8_t>(instruction.branch()),
         .length = static_cast<std::uint8_t>(code.size()),
         .code = {}};
    std::copy(code.begin(), code.end(), p.code.begin());
  }
  out.write(batch.records(), known);
}

}  // namespace

void copy_records(tracecodec::trace::source in, const options& o, const format& /*to*/,
                  io::codec compression) {
  const std::uint8_t properties =
      in.packed() != nullptr ? in.packed()->properties : std::uint8_t{0};
  const auto about = [&]<class Record>(const Record&) {
    return about_packed<Record>(in, o, properties);
  };
  const tracepack::about of_champsim = about(champsim::instruction{}),
                         of_cloudsuite = about(champsim::cloudsuite_instruction{});
  std::vector<tracepack::property> known;
  with_records(std::move(in), o, [&]<class Feed>(Feed& from) {
    using record = typename Feed::record;
    constexpr bool cloudsuite = std::is_same_v<record, champsim::cloudsuite_instruction>;
    tracepack::about says = cloudsuite ? of_cloudsuite : of_champsim;
    constexpr bool knows = requires(typename Feed::batch_type b) { b[0].code(); };
    if (!knows) says.properties = 0;
    record_output<record> out(o, compression, says);
    const auto failure = for_each_record(from, o, [&](const auto& batch) {
      if constexpr (knows)
        if (out.keeps_properties()) return write_known(out, batch, known);
      out.write(batch.records());
    });
    finish(out, out.written(), failure, o);
  });
}

}  // namespace convert
