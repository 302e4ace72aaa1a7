// Converts CVP-1 and CBP2025 instructions to ChampSim records.
#pragma once
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/cvp/access.hpp>
#include <tracecodec/io/hash.hpp>
#include <tracecodec/tracepack/layout.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "register_lists.hpp"

namespace convert {

namespace champsim = tracecodec::champsim;

// Moves pages of data that also contain code to free pages. ChampSim would otherwise invalidate
// code with data, because a trace of AArch64 code may contain addresses of constants in the code.
class data_pages {
 public:
  void add_code(std::uint64_t address) { code_.insert(address >> bits); }
  void add_data(std::uint64_t address) { data_.insert(address >> bits); }
  // Returns the address for the data at `address`. Requires that all pages of the trace were added.
  std::uint64_t moved(std::uint64_t address) {
    const std::uint64_t page = address >> bits;
    if (!code_.contains(page)) return address;
    const auto [at, is_new] = moved_.try_emplace(page);
    if (is_new) {
      while (code_.contains(next_) || data_.contains(next_)) ++next_;
      at->second = next_++;
    }
    return at->second << bits | (address & ((std::uint64_t{1} << bits) - 1));
  }

 private:
  static constexpr unsigned bits = 12;
  using set = std::unordered_set<std::uint64_t, tracecodec::io::keyed_hash>;
  set code_ = {}, data_ = {};
  std::unordered_map<std::uint64_t, std::uint64_t, tracecodec::io::keyed_hash> moved_ = {};
  std::uint64_t next_ = 0x1000;
};

// Modes of the memory accesses of CVP-1 instructions. An instruction keeps its first mode, unless
// another instruction has the same address.
class access_modes {
 public:
  template <cvp::dialect D> cvp::access_mode of(const cvp::instruction<D>& i) {
    if constexpr (D == cvp::dialect::cbp2025) return cvp::mode_of(i);
    const std::size_t shape = shape_of(i);
    const auto [at, is_new] = known_.try_emplace(i.pc, shape, cvp::access_mode());
    auto& [old_shape, mode] = at->second;
    if (is_new || old_shape != shape || mode.undecided) {
      old_shape = shape;
      mode = cvp::mode_of(i);
      if (mode.undecided) decide(i, mode);
    }
    return mode;
  }
  // Stores the values that the instruction writes.
  template <cvp::dialect D> void executed(const cvp::instruction<D>& i) {
    if constexpr (D == cvp::dialect::cvp1)
      for (std::size_t k = 0; k != i.outputs.size(); ++k)
        if (i.outputs[k] < values_.size()) values_[i.outputs[k]] = i.value(k);
  }

 private:
  template <cvp::dialect D> static std::size_t shape_of(const cvp::instruction<D>& i) {
    const auto text = [](const auto& all) {
      return std::string_view(reinterpret_cast<const char*>(all.bytes().data()), all.size());
    };
    const tracecodec::io::keyed_hash hash;
    return hash(static_cast<std::uint64_t>(i.what), hash(text(i.inputs)), hash(text(i.outputs)));
  }
  // Returns true if a store with an undecided mode stores a pair, because its address has an
  // immediate offset of 7 bits, in units of `size`, from `base`.
  static constexpr bool is_pair_at(std::uint64_t address, std::uint64_t base,
                                   std::uint8_t size) noexcept {
    return address - base + 64 * std::uint64_t{size} <= 127 * std::uint64_t{size};
  }
  // Decides between a pair at an immediate offset and one register at a register offset. The first
  // general register is the base.
  template <cvp::dialect D>
  void decide(const cvp::instruction<D>& i, cvp::access_mode& mode) const {
    for (const std::uint8_t r : i.inputs) {
      if (r >= values_.size()) continue;
      if (!values_[r]) return;
      mode.undecided = false;
      if (is_pair_at(i.address, *values_[r], i.size)) mode.bytes *= 2;
      return;
    }
  }

  std::unordered_map<std::uint64_t, std::pair<std::size_t, cvp::access_mode>,
                     tracecodec::io::keyed_hash>
      known_ = {};
  std::array<std::optional<std::uint64_t>, 32> values_ = {};  // x0 to x30 and sp
};

// Converter of a trace. Pass all instructions to look_at(), and then again to convert().
class champsim_records {
 public:
  explicit champsim_records(const cvp::improvements& how) : how_(how), registers_(how) {}

  template <cvp::dialect D> void look_at(const cvp::instruction<D>& i) {
    pages_.add_code(i.pc);
    if (i.accesses()) pages_.add_data(i.address);
  }
  // Appends the one or two records of an instruction to `to`, and their properties to `known`.
  // Returns the number of registers that do not fit in the record.
  template <cvp::dialect D>
  std::size_t convert(const cvp::instruction<D>& i, std::vector<champsim::instruction>& to,
                      std::vector<tracecodec::tracepack::property>& known) {
    champsim::instruction r{};
    r.ip = i.pc;
    r.is_branch = i.branches() ? 1 : 0;
    r.branch_taken = taken_of(i) ? 1 : 0;
    const bool accesses = i.accesses() && (how_.has(base_update) || how_.has(mem_footprint));
    cvp::access_mode mode = accesses ? modes_.of(i) : cvp::access_mode();
    modes_.executed(i);
    if (!how_.has(base_update)) mode.base = cvp::no_register;
    registers_.fill(i, mode.base);
    const std::size_t dropped = copy(registers_.written(), r.destination_registers) +
                                copy(registers_.read(), r.source_registers);
    if (i.accesses())
      set_memory(i, mode, i.stores() ? r.destination_memory.data() : r.source_memory.data());
    if (mode.base == cvp::no_register) {
      to.push_back(r);
      known.push_back({.branch = static_cast<std::uint8_t>(registers_.branch()), .length = 4});
      return dropped;
    }
    champsim::instruction update{};
    const std::uint8_t base = registers_.number(mode.base);
    update.destination_registers[0] = update.source_registers[0] = base;
    const bool before = is_before(i, mode.base);
    update.ip = before ? i.pc : i.pc + 2;
    r.ip = before ? i.pc + 2 : i.pc;
    to.push_back(before ? update : r);
    to.push_back(before ? r : update);
    // Each of the two records stands for a half of the instruction's bytes.
    constexpr auto not_branch = tracecodec::feed::branch_class::not_branch;
    known.insert(known.end(), 2, {.branch = static_cast<std::uint8_t>(not_branch), .length = 2});
    return dropped;
  }

 private:
  // Copies as many numbers as fit. Returns the number of the others.
  template <class Slots>
  static std::size_t copy(const std::vector<std::uint8_t>& from, Slots& slots) {
    const std::size_t n = std::min(from.size(), slots.size());
    std::copy_n(from.begin(), n, slots.begin());
    return from.size() - n;
  }
  template <cvp::dialect D> bool taken_of(const cvp::instruction<D>& i) {
    using kind = cvp::instruction_class;
    const bool stored = i.what == kind::conditional || i.what == kind::direct_jump;
    if (i.branches()) return last_taken_ = i.taken || !stored;
    // The first converter leaves the flag of the previous branch in other records.
    return how_.as_original && last_taken_;
  }
  // Returns true if the access uses the new value of the base.
  template <cvp::dialect D> static bool is_before(const cvp::instruction<D>& i, std::uint8_t base) {
    for (std::size_t k = 0; k != i.outputs.size(); ++k)
      if (i.outputs[k] == base) return i.value(k) == i.address;
    return false;
  }
  // Returns true for DC ZVA, which clears the cache line of its address.
  template <cvp::dialect D> static bool clears_line(const cvp::instruction<D>& i) {
    return i.stores() && i.inputs.size() < 2 && i.size == 64;
  }
  template <cvp::dialect D> void set_memory(const cvp::instruction<D>& i,
                                            const cvp::access_mode& mode, std::uint64_t* slots) {
    constexpr std::uint64_t line = 64;
    if (!how_.has(mem_footprint)) {
      slots[0] = pages_.moved(i.address);
      return;
    }
    const std::uint64_t first = clears_line(i) ? i.address / line * line : i.address;
    const std::uint64_t last = first + mode.bytes - (mode.bytes != 0);
    slots[0] = pages_.moved(first);
    if (first / line != last / line) slots[1] = pages_.moved(last / line * line);
  }

  cvp::improvements how_;
  register_lists registers_;
  data_pages pages_ = {};
  access_modes modes_ = {};
  bool last_taken_ = false;
};

}  // namespace convert
