// A trace of any format as ChampSim records: one class without template parameters, for simulators.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "../champsim/layout.hpp"
#include "../config.hpp"
#include "cursor.hpp"
#include "record_losses.hpp"
#include "source.hpp"

namespace tracecodec::trace {

class record_source;

// The records of a trace alone, for what takes their source (record_source.hpp). Throws as trace::source and trace::visit.
TRACECODEC_FUNC std::unique_ptr<record_source> open_records(source from,
                                                            const visit_options& how = {});

//   trace::records from("x.trace64");
//   for (auto batch = from.next(); !batch.empty(); batch = from.next())
//     for (const champsim::instruction& r : batch) ... r.ip ...
class records : public cursor {
 public:
  static constexpr std::size_t most_records = 4096;

  // `path` as trace::source takes it. Throws trace_error as trace::source and trace::visit.
  explicit records(const std::string& path, const visit_options& how = {});
  explicit records(source from, const visit_options& how = {});

  // The next records, `most` of them (at least 1) or fewer; none at the end. What is whole is delivered
  // before trace_error is thrown; as record_source::next(). Of a ChampSim trace they are those of the
  // file, where they lie in memory if it is mapped; of other formats what champsim::record_of() makes of
  // an instruction. Valid until next(), skip(), shard(), rewind() or count().
  std::span<const champsim::instruction> next(std::size_t most = most_records);

  // How many operands of the instructions that next() delivered since the beginning, or the last
  // rewind(), have no room in their records.
  [[nodiscard]] std::uint64_t lost_operands() const noexcept { return lost_operands_; }
  // Of what next() delivers from here on, losses() counts what records do not tell.
  void count_losses() noexcept;
  [[nodiscard]] const record_losses& losses() const noexcept;
  void rewind() {
    cursor::rewind();
    lost_operands_ = 0;
  }

 private:
  std::uint64_t lost_operands_ = 0;
};

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/records.ipp"
#endif
