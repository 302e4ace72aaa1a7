// The instructions of any trace as ChampSim records, and what was lost on the way.
#pragma once
#include <tracecodec/champsim/record_of.hpp>
#include <tracecodec/champsim/writer.hpp>
#include <tracecodec/feed/column_row.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace convert {

namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;

// Counts of instructions.
struct losses {
  std::uint64_t clipped = 0;     // had more operands than a record holds
  std::uint64_t incomplete = 0;  // have memory operands whose addresses cannot be known
  std::uint64_t undecoded = 0;   // the disassembler does not know
  std::uint64_t estimated = 0;   // branches whose successor is not in the trace
  std::uint64_t switches = 0;    // behind one of another thread
  std::uint64_t branches = 0;    // of formats with threads

  // Those of a batch of champsim_columns(), but for what its operands lose.
  void add(const feed::columns& batch);

  // Calls note(text) for each kind of which there is some. A record without asid has no thread.
  void report(bool has_asid, const std::function<void(const std::string&)>& note) const;

 private:
  std::optional<std::uint32_t> thread_ = {};
};

// What records are made of, of a trace that has these columns.
feed::column_set champsim_columns(feed::column_set has);

// Writes a batch's records.
template <class Record> void write(const feed::columns& batch,
                                   champsim::writer<champsim::codec_of<Record>>& out,
                                   losses& lost) {
  const feed::row_columns rows(batch);
  for (std::size_t row = 0; row != batch.size(); ++row) {
    const auto r = champsim::record_of<Record>(feed::column_row(rows, row));
    out.write(r.record);
    lost.clipped += r.lost_operands != 0;
  }
  lost.add(batch);
}

}  // namespace convert
