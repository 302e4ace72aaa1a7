// Feed of ChampSim records as instructions. The feed derives the branch class, the outcome and the
// target in the same way as ChampSim.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "../feed/instruction.hpp"
#include "../feed/stream.hpp"
#include "branch_rules.hpp"
#include "reader.hpp"

namespace tracecodec::champsim {

using feed::branch_class;

namespace detail {
template <class T, std::size_t... I>
TRACECODEC_INLINE constexpr bool contains(const T& registers, std::uint8_t wanted,
                                          std::index_sequence<I...>) noexcept {
  return ((registers[I] == wanted) || ...);
}
// Returns a mask in which only the bit of register `v` is set. Registers 63 and above share bit
// 63.
TRACECODEC_INLINE constexpr std::uint64_t bit_of(std::uint64_t v) noexcept {
  return std::uint64_t{1} << (v < 63 ? v : 63);
}
template <class T, std::size_t... I>
TRACECODEC_INLINE constexpr std::uint64_t set_of(const T& registers,
                                                 std::index_sequence<I...>) noexcept {
  return (bit_of(registers[I]) | ...);
}
template <class T> using each = std::make_index_sequence<std::tuple_size_v<T>>;
}  // namespace detail

namespace detail {
// Returns the class of a branch that reads the registers in the mask `reads`. The mask is the
// result of set_of() without bit 0. Callers compute the mask, because g++ generates more
// instructions if this function computes it.
template <branch_rules Rules>
TRACECODEC_INLINE constexpr branch_class class_of_branch(const std::uint64_t reads,
                                                         const bool writes_sp) noexcept {
  // Bit masks need only a third as many instructions as a loop with four flags.
  constexpr std::uint64_t sp = 1U << stack_pointer, fl = 1U << flags,
                          ip = 1U << instruction_pointer;
  if ((reads & ~ip) == 0) return branch_class::direct_jump;
  if constexpr (Rules == branch_rules::current) {
    if ((reads & (sp | ip | fl)) == 0) return branch_class::indirect;
    if ((reads & (sp | ip)) == ip && !writes_sp) return branch_class::conditional;
  } else {
    if ((reads & (sp | fl)) == 0) return branch_class::indirect;
    if (reads == (ip | fl) && !writes_sp) return branch_class::conditional;
  }
  if ((reads & (sp | ip | fl)) == (sp | ip) && writes_sp)
    return (reads & ~(sp | ip)) != 0 ? branch_class::indirect_call : branch_class::direct_call;
  if ((reads & (sp | ip)) == sp && writes_sp) return branch_class::return_;
  return branch_class::other;
}
}  // namespace detail

// Returns the class that ChampSim derives from the registers. ChampSim has seven rules, and the
// first rule that matches applies.
//
// The two sets of rules differ for a branch that reads the instruction pointer and a register other
// than the flags and the stack pointer. Examples are jrcxz and an x86 jump through an ip-relative
// address. According to the current rules, such a branch is conditional, or `other` if it writes
// the stack pointer. According to the rules of 2022, it is indirect, or `other` if it reads the
// flags.
template <branch_rules Rules = branch_rules::current, trace_record R>
TRACECODEC_INLINE constexpr branch_class branch_class_of(const R& r) noexcept {
  const auto& written = r.destination_registers;
  using written_each = detail::each<std::remove_cvref_t<decltype(written)>>;
  // In both sets of rules, a branch writes the instruction pointer.
  if (!detail::contains(written, instruction_pointer, written_each{})) [[likely]]
    return branch_class::not_branch;
  const auto& read = r.source_registers;
  const std::uint64_t reads =
      detail::set_of(read, detail::each<std::remove_cvref_t<decltype(read)>>{}) & ~std::uint64_t{1};
  const bool writes_sp = detail::contains(written, stack_pointer, written_each{});
  return detail::class_of_branch<Rules>(reads, writes_sp);
}

// View of one record as an instruction (feed::instruction). `following_ip` is the ip of the next
// record, or 0 if no record follows.
template <trace_record R, branch_rules Rules = branch_rules::current> class instruction_view {
 public:
  static constexpr bool has_threads = requires(const R& r) { r.asid[1]; };

  constexpr instruction_view(const R& r, std::uint64_t following_ip) noexcept
      : instruction_view(&r, &r, following_ip) {}
  // Creates a view of `*r`, one of several consecutive records up to `*last`. `following_ip` is the
  // ip of the record after `*last`. To save time, the constructor reads the next record's ip only
  // for taken branches.
  TRACECODEC_INLINE constexpr instruction_view(const R* r, const R* last,
                                               std::uint64_t following_ip) noexcept
      : instruction_view(r, last, following_ip, branch_class_of<Rules>(*r)) {}
  // Creates a view of a record whose class is already known.
  TRACECODEC_INLINE constexpr instruction_view(const R* r, const R* last,
                                               std::uint64_t following_ip, branch_class is) noexcept
      : record_(r), class_(is) {
    if (class_ == branch_class::not_branch) return;
    const bool as_recorded = class_ == branch_class::conditional || class_ == branch_class::other;
    taken_ = !as_recorded || r->branch_taken != 0;
    if (taken_) target_ = r != last ? r[1].ip : following_ip;
  }

  [[nodiscard]] constexpr std::uint64_t ip() const noexcept { return record_->ip; }
  [[nodiscard]] constexpr branch_class branch() const noexcept { return class_; }
  // Returns true if the class is a branch class, or if the record's is_branch flag is set.
  [[nodiscard]] constexpr bool is_branch() const noexcept {
    return class_ != branch_class::not_branch || record_->is_branch != 0;
  }
  [[nodiscard]] constexpr bool taken() const noexcept { return taken_; }
  [[nodiscard]] constexpr std::uint64_t target() const noexcept { return target_; }
  // Returns the two bytes of CloudSuite's `asid`, with the first byte as the low byte. Returns 0 if
  // the record has no `asid`.
  [[nodiscard]] constexpr std::uint32_t asid() const noexcept {
    if constexpr (has_threads)
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
  // Returns the record itself, with the flags as stored.
  [[nodiscard]] constexpr const R& record() const noexcept { return *record_; }

 private:
  const R* record_;
  std::uint64_t target_ = 0;
  branch_class class_;
  bool taken_ = false;
};

// Batch of consecutive records as instructions (feed::batch).
template <trace_record R, branch_rules Rules = branch_rules::current> class instruction_batch {
 public:
  using value_type = instruction_view<R, Rules>;
  constexpr instruction_batch() = default;
  constexpr explicit instruction_batch(const record_batch<R>& b) noexcept
      : records_(b.records),
        last_(last_of(b.records)),
        following_ip_(b.following ? b.following->ip : 0),
        ends_(!b.following) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return records_.size(); }
  TRACECODEC_INLINE constexpr value_type operator[](std::size_t i) const noexcept {
    return {records_.data() + i, last_, following_ip_};
  }
  [[nodiscard]] constexpr instruction_batch first(std::size_t n) const noexcept {
    if (n >= size()) return *this;
    instruction_batch b = *this;
    b.records_ = records_.first(n);
    b.last_ = last_of(b.records_);
    b.following_ip_ = records_[n].ip;
    b.ends_ = false;
    return b;
  }
  [[nodiscard]] constexpr instruction_batch drop(std::size_t n) const noexcept {
    instruction_batch b = *this;
    b.records_ = records_.subspan(n);
    return b;
  }
  [[nodiscard]] constexpr bool last_batch() const noexcept { return ends_; }
  constexpr void mark_last() noexcept { ends_ = true; }
  constexpr void set_next_ip(std::uint64_t ip) noexcept { following_ip_ = ip; }

  [[nodiscard]] constexpr std::span<const R> records() const noexcept { return records_; }
  // Returns the ip of the record after the batch, or 0 if no record follows.
  [[nodiscard]] constexpr std::uint64_t following_ip() const noexcept { return following_ip_; }

 private:
  static constexpr const R* last_of(std::span<const R> records) noexcept {
    return records.empty() ? nullptr : &records.back();
  }
  std::span<const R> records_ = {};
  const R* last_ = nullptr;  // last record of records_
  std::uint64_t following_ip_ = 0;
  bool ends_ = true;
};

// Feed of a trace of `Record`s (feed::stream). The feed is also a range. `Record` is any struct
// that models trace_record. The feed's functions throw the errors of `reader`. The constructor
// throws an error if the file is not a trace of such records, unless reader_options::trust is set.
template <trace_record Record = instruction, branch_rules Rules = branch_rules::current>
class trace_feed : public feed::iterable<trace_feed<Record, Rules>> {
 public:
  using record = Record;
  using batch_type = instruction_batch<Record, Rules>;

  explicit trace_feed(io::input in, reader_options how = {}) : reader_(std::move(in), how) {}
  // Opens the file `path`. The path "-" stands for standard input.
  explicit trace_feed(const std::string& path, const io::open_options& options = {},
                      reader_options how = {})
      : reader_(io::open_input(path, options), how) {}

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
