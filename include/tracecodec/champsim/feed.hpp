// ChampSim records as simulator instructions, with the branch class, outcome and target that
// ChampSim itself derives.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "../feed/instruction.hpp"
#include "../feed/stream.hpp"
#include "reader.hpp"

namespace tracecodec::champsim {

using feed::branch_class;

// The class that ChampSim derives from the registers alone: first match of its seven rules.
template <trace_record R>
TRACECODEC_INLINE constexpr branch_class branch_class_of(const R& r) noexcept {
  bool writes_ip = false, writes_sp = false;
  for (const auto d : r.destination_registers) {
    writes_ip |= d == instruction_pointer;
    writes_sp |= d == stack_pointer;
  }
  if (!writes_ip) [[likely]]
    return branch_class::not_branch;  // true of every rule
  bool reads_sp = false, reads_flags = false, reads_ip = false, reads_other = false;
  for (const auto s : r.source_registers) {
    reads_sp |= s == stack_pointer;
    reads_flags |= s == flags;
    reads_ip |= s == instruction_pointer;
    reads_other |= s != 0 && s != stack_pointer && s != flags && s != instruction_pointer;
  }
  if (!reads_sp && !reads_flags && !reads_other) return branch_class::direct_jump;
  if (!reads_sp && !reads_ip && !reads_flags) return branch_class::indirect;
  if (!reads_sp && reads_ip && !writes_sp) return branch_class::conditional;
  if (reads_sp && reads_ip && writes_sp && !reads_flags)
    return reads_other ? branch_class::indirect_call : branch_class::direct_call;
  if (reads_sp && !reads_ip && writes_sp) return branch_class::return_;
  return branch_class::other;
}

// A view of one record as a feed::instruction; `following_ip` is the next record's, 0 if none.
template <trace_record R> class instruction_view {
 public:
  TRACECODEC_INLINE constexpr instruction_view(const R& r, std::uint64_t following_ip) noexcept
      : record_(&r), following_ip_(following_ip), class_(branch_class_of(r)) {}

  [[nodiscard]] constexpr std::uint64_t ip() const noexcept { return record_->ip; }
  [[nodiscard]] constexpr branch_class branch() const noexcept { return class_; }
  // Set for every class, and kept from the record where the class is not_branch.
  [[nodiscard]] constexpr bool is_branch() const noexcept {
    return class_ != branch_class::not_branch || record_->is_branch != 0;
  }
  [[nodiscard]] constexpr bool taken() const noexcept {
    if (class_ == branch_class::not_branch) return false;
    const bool as_recorded = class_ == branch_class::conditional || class_ == branch_class::other;
    return !as_recorded || record_->branch_taken != 0;
  }
  [[nodiscard]] constexpr std::uint64_t target() const noexcept {
    return taken() ? following_ip_ : 0;
  }
  // CloudSuite's two bytes, the first one low; 0 where the record has none.
  [[nodiscard]] constexpr std::uint32_t asid() const noexcept {
    if constexpr (requires { record_->asid[1]; })
      return record_->asid[0] | static_cast<std::uint32_t>(record_->asid[1]) << 8;
    else
      return 0;
  }
  [[nodiscard]] constexpr auto destination_registers() const noexcept {
    return feed::nonzero_range(record_->destination_registers);
  }
  [[nodiscard]] constexpr auto source_registers() const noexcept {
    return feed::nonzero_range(record_->source_registers);
  }
  [[nodiscard]] constexpr auto destination_memory() const noexcept {
    return feed::nonzero_range(record_->destination_memory);
  }
  [[nodiscard]] constexpr auto source_memory() const noexcept {
    return feed::nonzero_range(record_->source_memory);
  }
  // The record itself, flags as they were written.
  [[nodiscard]] constexpr const R& record() const noexcept { return *record_; }

 private:
  const R* record_;
  std::uint64_t following_ip_;
  branch_class class_;
};

// Consecutive records as instructions (feed::batch).
template <trace_record R> class instruction_batch {
 public:
  using value_type = instruction_view<R>;
  constexpr instruction_batch() = default;
  constexpr explicit instruction_batch(const record_batch<R>& b) noexcept
      : records_(b.records),
        following_ip_(b.following ? b.following->ip : 0),
        ends_(!b.following) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return records_.size(); }
  TRACECODEC_INLINE constexpr value_type operator[](std::size_t i) const noexcept {
    return {records_[i], i + 1 < records_.size() ? records_[i + 1].ip : following_ip_};
  }
  [[nodiscard]] constexpr instruction_batch first(std::size_t n) const noexcept {
    if (n >= size()) return *this;
    instruction_batch b = *this;
    b.records_ = records_.first(n);
    b.following_ip_ = records_[n].ip;
    b.ends_ = false;
    return b;
  }
  [[nodiscard]] constexpr instruction_batch drop(std::size_t n) const noexcept {
    instruction_batch b = *this;
    b.records_ = records_.subspan(n);
    return b;
  }
  [[nodiscard]] constexpr bool ends() const noexcept { return ends_; }
  constexpr void end_here() noexcept { ends_ = true; }
  constexpr void follow_with(std::uint64_t ip) noexcept { following_ip_ = ip; }

  [[nodiscard]] constexpr std::span<const R> records() const noexcept { return records_; }
  // The ip of the record behind the batch; 0 if there is none.
  [[nodiscard]] constexpr std::uint64_t following_ip() const noexcept { return following_ip_; }

 private:
  std::span<const R> records_ = {};
  std::uint64_t following_ip_ = 0;
  bool ends_ = true;
};

// A trace of `Record`s as a feed (feed::stream, and a range). Record may be any struct that models
// trace_record; errors are the reader's.
template <trace_record Record = instruction> class trace_feed
    : public feed::iterable<trace_feed<Record>> {
 public:
  using record = Record;
  using batch_type = instruction_batch<Record>;

  explicit trace_feed(io::input in) : reader_(std::move(in)) {}
  // "-" is standard input.
  explicit trace_feed(const std::string& path, const io::open_options& options = {})
      : reader_(io::open_input(path, options)) {}

  batch_type next() { return batch_type(reader_.next()); }
  std::uint64_t skip(std::uint64_t n) { return reader_.skip(n); }
  void rewind() { reader_.rewind(); }
  std::optional<std::uint64_t> count() { return reader_.count(); }
  [[nodiscard]] std::optional<double> progress() const { return reader_.progress(); }
  [[nodiscard]] const std::string& name() const { return reader_.name(); }

 private:
  reader<codec_of<Record>> reader_;
};

}  // namespace tracecodec::champsim
