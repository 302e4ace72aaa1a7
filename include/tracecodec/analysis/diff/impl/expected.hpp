// Values that are expected to differ between two runs: results of certain instructions, and
// addresses, which vary from run to run.
#pragma once
#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <utility>

#include "../../relocation.hpp"
#include "../step.hpp"
#include "values.hpp"

namespace tracecodec::analysis::detail {

// Filter that removes expected differences from the value differences of aligned instructions,
// in trace order.
class expected_values {
 public:
  // Creates a filter. `written_by` returns true for aligned instructions whose results are expected
  // to differ. Values computed from these results are then also expected to differ. If `written_by`
  // is not set, no results are expected to differ. `addresses` is diff_options::addresses_expected.
  // `moved` must outlive this object.
  expected_values(std::function<bool(const diff_step&, const diff_step&)> written_by,
                  bool addresses, const relocation& moved)
      : written_by_(std::move(written_by)), addresses_(addresses), moved_(&moved) {}

  // Moves the unexpected differences between `a` and `b` to the front of `all`, and returns them.
  // Calls forget(v) for each expected difference. The register or memory is then compared again
  // when its value is next recorded, because a different value may have been written by then.
  template <class Forget> std::span<value_difference> filter(const diff_step& a, const diff_step& b,
                                                             std::span<value_difference> all,
                                                             Forget forget) {
    if (addresses_) learn(a.record, b.record);
    const auto unexpected = [&](std::span<value_difference> some, bool after) {
      const auto end = std::remove_if(some.begin(), some.end(), [&](const value_difference& v) {
        if (v.after != after || !is_expected(v)) return false;
        forget(v);
        return true;
      });
      return some.first(static_cast<std::size_t>(end - some.begin()));
    };
    all = unexpected(all, false);
    if (written_by_) {
      before_ = written_by_(a, b) || reads_derived(a.record);
      keep_written(a.record, before_);
    }
    return unexpected(all, true);
  }
  // Informs the filter that the next instructions are not aligned.
  void interrupt() { before_ = false; }

 private:
  static constexpr std::size_t most = 64;
  static constexpr std::size_t most_places = std::size_t{1} << 16;

  // Returns true if a difference is expected. For values before an instruction, `before_` still
  // refers to the previous instruction, because some feeds report an instruction's effects on
  // registers only with the next instruction.
  bool is_expected(const value_difference& v) {
    if (moves(v) || (addresses_ && is_address(v))) return true;
    if (!written_by_) return false;
    if (v.memory) {
      if (v.after && before_) keep_place(v.at, true);
      return derived_places_.count(v.at) != 0;
    }
    const auto r = x86::number(v.which);
    if (before_) derived_[r] = true;
    return derived_[r];
  }
  void keep_place(std::uint64_t address, bool derived) {
    const std::uint64_t place = address & ~std::uint64_t{7};
    if (!derived)
      derived_places_.erase(place);
    else if (derived_places_.size() < most_places)
      derived_places_.insert(place);
  }
  [[nodiscard]] bool reads_derived(const diff_record& i) const {
    const auto any = [](const auto& list, auto is) {
      return std::any_of(list.begin(), list.end(), [&](auto x) { return x != 0 && is(x); });
    };
    return any(i.source_registers, [this](std::uint8_t r) { return derived_[r]; }) ||
           any(i.source_memory, [this](std::uint64_t address) {
             return derived_places_.count(address & ~std::uint64_t{7}) != 0;
           });
  }
  void keep_written(const diff_record& i, bool derived) {
    for (const std::uint8_t r : i.destination_registers)
      if (r != 0 && r != x86::number(x86::reg::rsp) && r != x86::number(x86::reg::ip))
        derived_[r] = derived;
    for (const std::uint64_t address : i.destination_memory)
      if (address != 0) keep_place(address, derived);
  }

  // Returns true if the value is an address in a region that moved.
  [[nodiscard]] bool moves(const value_difference& v) const {
    if (moved_->empty()) return false;
    if (v.known == 0xFF || v.known == 0x0F) return (*moved_)(v.b) == v.a;
    if (v.known == 0xF0) return (*moved_)(v.b >> 32U) == v.a >> 32U;
    return false;
  }
  // Records the distances between the memory addresses that aligned instructions access.
  void learn(const diff_record& a, const diff_record& b) {
    const auto each = [this](const auto& x, const auto& y) {
      for (std::size_t i = 0; i < x.size() && x[i] != 0 && y[i] != 0; ++i) this->learn(x[i] - y[i]);
    };
    each(a.destination_memory, b.destination_memory);
    each(a.source_memory, b.source_memory);
  }
  void learn(std::uint64_t distance) {
    if (distance == 0 || knows(distance)) return;
    distances_[learnt_++ % most] = distance;
  }
  [[nodiscard]] bool knows(std::uint64_t distance) const {
    const auto end = distances_.begin() + static_cast<std::ptrdiff_t>(std::min(learnt_, most));
    return std::find(distances_.begin(), end, distance) != end;
  }
  // Returns true if the distance between two 32-bit addresses is known.
  [[nodiscard]] bool knows_half(std::uint64_t a, std::uint64_t b) const {
    const auto distance = static_cast<std::uint32_t>(a - b);
    return std::any_of(
        distances_.begin(),
        distances_.begin() + static_cast<std::ptrdiff_t>(std::min(learnt_, most)),
        [distance](std::uint64_t d) { return static_cast<std::uint32_t>(d) == distance; });
  }
  [[nodiscard]] bool is_address(const value_difference& v) {
    if (!v.memory && v.which == x86::reg::rsp && (v.known == 0xFF || v.known == 0x0F)) {
      learn(v.a - v.b);
      return true;
    }
    if (v.known == 0xFF && knows(v.a - v.b)) return true;
    if (v.known == 0x0F) return knows_half(v.a, v.b);
    return v.known == 0xF0 && knows_half(v.a >> 32U, v.b >> 32U);
  }

  std::function<bool(const diff_step&, const diff_step&)> written_by_;
  bool addresses_, before_ = false;
  const relocation* moved_;
  std::array<std::uint64_t, most> distances_ = {};  // most recently found distances
  std::size_t learnt_ = 0;
  // Registers and 8-byte pieces of memory that contain expected differences: results of
  // instructions for which written_by_ returns true, or values computed from such results. The set
  // is ordered, because a hostile trace could make all addresses collide in a hash table.
  std::bitset<256> derived_ = {};
  std::set<std::uint64_t> derived_places_ = {};
};

}  // namespace tracecodec::analysis::detail
