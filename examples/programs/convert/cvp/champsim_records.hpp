// Converts CVP-1 and CBP2025 instructions to ChampSim records.
#pragma once
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/cvp/access.hpp>
#include <tracecodec/io/error.hpp>
#include <tracecodec/io/hash.hpp>
#include <tracecodec/tracepack/properties.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "register_lists.hpp"

namespace convert {

namespace champsim = tracecodec::champsim;

// Moves pages of data that also contain code to free pages. A trace of AArch64 code may contain
// addresses of constants between the code. In ChampSim, the cache lines of these constants would
// otherwise also be lines of code.
//
// Memory is bounded: the class stores at most `most_code` pages of code, and a bit for each page
// that may be free.
class data_pages {
 public:
  static constexpr std::size_t most_code = std::size_t{1} << 20;  // 4 GiB of code

  // Adds the page of an instruction. Returns false if that were too many pages.
  bool add_code(std::uint64_t address) {
    const std::uint64_t page = address >> bits;
    if (page == last_code_) return true;
    last_code_ = page;
    code_.insert(page);
    take(page);
    return code_.size() <= most_code;
  }
  void add_data(std::uint64_t address) { take(address >> bits); }
  // Returns the address for the data at `address`, or nullopt if no page is free. Requires that all
  // pages of the trace were added.
  std::optional<std::uint64_t> moved(std::uint64_t address) {
    const std::uint64_t page = address >> bits;
    if (!code_.contains(page)) return address;
    auto at = moved_.find(page);
    if (at == moved_.end()) {
      while (next_ != taken_.size() && taken_[next_]) ++next_;
      if (next_ == taken_.size()) return std::nullopt;
      at = moved_.emplace(page, first_free + next_++).first;
    }
    return at->second << bits | (address & ((std::uint64_t{1} << bits) - 1));
  }

 private:
  static constexpr unsigned bits = 12;
  static constexpr std::uint64_t first_free = 0x1000;  // as in ChampSim's converters
  // More than twice as many pages as contain code. The pages after them stay where they are.
  static constexpr std::size_t candidates = std::size_t{1} << 24;

  void take(std::uint64_t page) {
    if (page - first_free < candidates) taken_[static_cast<std::size_t>(page - first_free)] = true;
  }

  std::uint64_t last_code_ = ~std::uint64_t{0};  // not the page of any address
  std::unordered_set<std::uint64_t, tracecodec::io::keyed_hash> code_ = {};
  std::unordered_map<std::uint64_t, std::uint64_t, tracecodec::io::keyed_hash> moved_ = {};
  std::vector<bool> taken_ = std::vector<bool>(candidates);  // candidates that the trace uses
  std::size_t next_ = 0;                                     // first candidate that may be free
};

// Modes of the memory accesses of CVP-1 instructions. An instruction keeps its first mode, until
// another instruction is executed at the same address. If there are too many modes, all are
// forgotten.
class access_modes {
 public:
  static constexpr std::size_t most = std::size_t{1} << 20;

  template <cvp::dialect D> cvp::access_mode of(const cvp::instruction<D>& i) {
    if constexpr (D == cvp::dialect::cbp2025) {
      return cvp::mode_of(i);
    } else {
      if (known_.size() == most && !known_.contains(i.pc)) known_.clear();
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
  }
  // Forgets the mode of an instruction that accessed memory at this address.
  void forget(std::uint64_t pc) { known_.erase(pc); }
  // Stores the values that the instruction writes.
  template <cvp::dialect D> void executed(const cvp::instruction<D>& i) {
    if constexpr (D == cvp::dialect::cvp1)
      for (const std::uint8_t r : i.outputs)
        if (r < values_.size()) values_[r] = i.value_of(r);
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

// Converter of a trace. Pass all instructions to look_at(), and then again to convert(), with their
// numbers in the trace. Both throw trace_error(refused) if the pages do not fit in memory.
class champsim_records {
 public:
  champsim_records(const cvp::improvements& how, std::string name)
      : how_(how), registers_(how), name_(std::move(name)) {}

  template <cvp::dialect D> void look_at(std::uint64_t index, const cvp::instruction<D>& i) {
    if (!pages_.add_code(i.pc))
      refuse(index, "more than " + std::to_string(data_pages::most_code) + " pages of code");
    if (i.accesses()) pages_.add_data(i.address);
  }
  // Appends the one or two records of an instruction to `to`, and their properties to `known`.
  // Returns the number of registers that do not fit in the record.
  template <cvp::dialect D>
  std::size_t convert(std::uint64_t index, const cvp::instruction<D>& i,
                      std::vector<champsim::instruction>& to,
                      std::vector<tracecodec::tracepack::property>& known) {
    champsim::instruction r{};
    r.ip = i.pc;
    r.is_branch = i.branches() ? 1 : 0;
    r.branch_taken = taken_of(i) ? 1 : 0;
    cvp::access_mode mode;
    if (how_.has(base_update) || how_.has(mem_footprint)) {
      if (i.accesses())
        mode = modes_.of(i);
      else
        modes_.forget(i.pc);
      modes_.executed(i);
    }
    if (!how_.has(base_update)) mode.base = cvp::no_register;
    registers_.fill(i, mode.base);
    const std::size_t dropped = copy(registers_.written(), r.destination_registers) +
                                copy(registers_.read(), r.source_registers);
    if (i.accesses())
      set_memory(index, i, mode, i.stores() ? r.destination_memory.data() : r.source_memory.data());
    if (mode.base == cvp::no_register) {
      to.push_back(r);
      known.push_back({.branch = static_cast<std::uint8_t>(registers_.branch()), .length = 4});
      return dropped;
    }
    champsim::instruction update{};
    const std::uint8_t base = registers_.number(mode.base);
    update.destination_registers[0] = update.source_registers[0] = base;
    // True if the access uses the new address.
    const bool before = i.value_of(mode.base) == i.address;
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
    if (i.branches()) {
      last_taken_ = i.taken || !stored;
      return last_taken_;
    }
    // The first converter leaves the flag of the previous branch in other records.
    return how_.as_original && last_taken_;
  }
  // Returns true for DC ZVA, which clears the cache line of its address.
  template <cvp::dialect D> static bool clears_line(const cvp::instruction<D>& i) {
    return i.stores() && i.inputs.size() < 2 && i.size == 64;
  }
  template <cvp::dialect D> void set_memory(std::uint64_t index, const cvp::instruction<D>& i,
                                            const cvp::access_mode& mode, std::uint64_t* slots) {
    constexpr std::uint64_t line = 64;
    if (!how_.has(mem_footprint)) {
      slots[0] = moved(index, i.address);
      return;
    }
    const std::uint64_t first = clears_line(i) ? i.address / line * line : i.address;
    const std::uint64_t last = first + mode.bytes - (mode.bytes != 0);
    slots[0] = moved(index, first);
    if (first / line != last / line) slots[1] = moved(index, last / line * line);
  }
  std::uint64_t moved(std::uint64_t index, std::uint64_t address) {
    const auto at = pages_.moved(address);
    if (!at) refuse(index, "no free page for data on a page of code");
    return *at;
  }
  [[noreturn]] void refuse(std::uint64_t index, const std::string& why) const {
    throw tracecodec::trace_error(tracecodec::trace_errc::refused, {name_, {}, index},
                                  why + ": convert a part of the trace that was copied with -n");
  }

  cvp::improvements how_;
  register_lists registers_;
  std::string name_;
  data_pages pages_ = {};
  access_modes modes_ = {};
  bool last_taken_ = false;
};

}  // namespace convert
