// A trace of any format as ChampSim records: one class without template parameters, for simulators.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "../champsim/layout.hpp"
#include "../config.hpp"
#include "cursor.hpp"
#include "record_instruction.hpp"
#include "record_losses.hpp"
#include "source.hpp"

namespace tracecodec::trace {

class record_source;

// The records of a trace alone, for what takes their source (record_source.hpp). Throws as trace::source and trace::visit.
TRACECODEC_FUNC std::unique_ptr<record_source> open_records(
    source from, const tracecodec::format::open_options& how = {});

// A range (std::ranges::input_range) of records with branch class and target:
//
//   trace::records from("x.trace64");
//   for (const trace::record_instruction& i : from) ... i.record(), i.branch(), i.target() ...
//
// or batches of the records alone, which of a ChampSim trace cost nothing:
//
//   for (auto batch = from.next(); !batch.empty(); batch = from.next())
//     for (const champsim::instruction& r : batch) ... r.ip ...
class records : public cursor {
 public:
  static constexpr std::size_t most_records = 4096;

  // `path` as trace::source takes it. Throws trace_error as trace::source and trace::visit.
  explicit records(const std::string& path, const tracecodec::format::open_options& how = {});
  explicit records(source from, const tracecodec::format::open_options& how = {});

  // The next records, `most` of them (at least 1) or fewer; none at the end. What is whole is delivered
  // before trace_error is thrown; as record_source::next(). Of a ChampSim trace they are those of the
  // file, where they lie in memory if it is mapped; of other formats what champsim::record_of() makes of
  // an instruction. Valid until next(), skip(), shard(), rewind() or count().
  std::span<const champsim::instruction> next(std::size_t most = most_records);

  // An input iterator. Its element lives until it moves, and as next() says.
  class iterator {
   public:
    using value_type = record_instruction;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    explicit iterator(records& from) : from_(&from) { fetch(); }
    const record_instruction& operator*() const noexcept { return *current_; }
    const record_instruction* operator->() const noexcept { return &*current_; }
    iterator& operator++() {
      if (++at_ == batch_.size())
        fetch();
      else
        show();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& i, std::default_sentinel_t) noexcept {
      return i.batch_.empty();
    }

   private:
    void fetch() {
      at_ = 0;
      batch_ = from_->next_with_branches(branches_);
      if (!batch_.empty()) show();
    }
    void show() noexcept { current_.emplace(batch_[at_], branches_[at_]); }

    records* from_;
    std::span<const champsim::instruction> batch_ = {};  // none at the end
    std::span<const record_branch> branches_ = {};
    std::size_t at_ = 0;
    std::optional<record_instruction> current_ = {};
  };
  // From the next record on. It reads batches: after a loop that is left early, next() and position() go on
  // behind the batch that was begun. Throws as next(), as ++ does.
  iterator begin() { return iterator(*this); }
  [[nodiscard]] static std::default_sentinel_t end() noexcept { return {}; }

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
  // As next(), and where each record's instruction goes.
  std::span<const champsim::instruction> next_with_branches(
      std::span<const record_branch>& branches);

  std::uint64_t lost_operands_ = 0;
};

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/records.ipp"
#endif
