// Executed x86 instruction of any trace format. Like a ChampSim record, it has lists of memory
// operands.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "../feed/column.hpp"
#include "../feed/executed_batch.hpp"
#include "../feed/instruction.hpp"
#include "accesses.hpp"
#include "instruction.hpp"

namespace tracecodec::x86 {

using feed::outcome;

// Executed instruction. As in a ChampSim record, 0 marks an unused slot of an operand list.
// Registers have the numbers of registers.hpp, and sizes are in bytes. The instruction writes the
// destinations and reads the sources.
struct executed_instruction {
  std::uint64_t index = 0;  // index among the instructions of all threads
  std::uint64_t ip = 0;
  std::uint64_t target = 0;  // 0 if the target is unknown or the instruction is not taken
  std::array<std::uint64_t, 2> destination_memory = {};
  std::array<std::uint64_t, 4> source_memory = {};
  std::array<std::uint16_t, 2> destination_sizes = {};
  std::array<std::uint16_t, 4> source_sizes = {};
  std::array<std::uint8_t, 2> destination_registers = {};
  std::array<std::uint8_t, 4> source_registers = {};
  std::uint32_t thread = 0;  // 0 if unknown
  // Numbers of operands that do not fit in the lists.
  std::uint8_t dropped_destination_registers = 0;
  std::uint8_t dropped_source_registers = 0;
  std::uint8_t dropped_destination_memory = 0;
  std::uint8_t dropped_source_memory = 0;
  std::uint8_t length = 0;  // size of the code in bytes
  x86::kind kind = x86::kind::not_branch;
  x86::outcome outcome = x86::outcome::no_branch;
  bool taken = false;
  // False if the bytes are not a known instruction. The instruction then has no operands.
  bool decoded = false;
  bool complete = false;  // false if some memory operands have unknown addresses
  bool known_thread = false;

  [[nodiscard]] constexpr unsigned dropped() const noexcept {
    return 0U + dropped_destination_registers + dropped_source_registers +
           dropped_destination_memory + dropped_source_memory;
  }
  [[nodiscard]] constexpr bool clipped() const noexcept { return dropped() != 0; }
};

// Sink that adds accesses to the memory lists of `out`. The lists must be empty at first.
class access_sink {
 public:
  constexpr explicit access_sink(executed_instruction& out) noexcept : out_(out) {}
  TRACECODEC_INLINE constexpr void operator()(const memory_access& a) noexcept {
    if (a.write)
      add(a, out_.destination_memory, out_.destination_sizes, writes_,
          out_.dropped_destination_memory);
    else
      add(a, out_.source_memory, out_.source_sizes, reads_, out_.dropped_source_memory);
  }

 private:
  template <std::size_t N>
  TRACECODEC_INLINE static constexpr void add(const memory_access& a,
                                              std::array<std::uint64_t, N>& addresses,
                                              std::array<std::uint16_t, N>& sizes, std::size_t& n,
                                              std::uint8_t& dropped) noexcept {
    if (n == N) {
      ++dropped;
      return;
    }
    addresses[n] = a.address;
    sizes[n++] = a.size;
  }
  executed_instruction& out_;
  std::size_t reads_ = 0, writes_ = 0;
};

// View of an executed instruction. It models feed::instruction and has additional members.
// `Executed` is x86::executed_instruction or a format's own type derived from it.
template <class Executed> class executed_view {
 public:
  TRACECODEC_INLINE constexpr executed_view(const Executed* l, std::uint64_t target) noexcept
      : executed_(l), target_(target) {}

  [[nodiscard]] constexpr std::uint64_t ip() const noexcept { return executed_->ip; }
  // Returns the branch class. System calls and interrupts are not_branch.
  [[nodiscard]] constexpr feed::branch_class branch() const noexcept {
    return is_branch() ? static_cast<feed::branch_class>(executed_->kind)
                       : feed::branch_class::not_branch;
  }
  [[nodiscard]] constexpr bool is_branch() const noexcept {
    return executed_->kind < kind::not_branch;
  }
  [[nodiscard]] constexpr bool taken() const noexcept { return executed_->taken; }
  [[nodiscard]] constexpr std::uint64_t target() const noexcept { return target_; }
  // Returns the thread, or 0 if the thread is unknown.
  [[nodiscard]] constexpr std::uint32_t asid() const noexcept { return executed_->thread; }
  [[nodiscard]] constexpr auto destination_registers() const noexcept {
    return feed::nonzero_range(executed_->destination_registers);
  }
  [[nodiscard]] constexpr auto source_registers() const noexcept {
    return feed::nonzero_range(executed_->source_registers);
  }
  [[nodiscard]] constexpr auto destination_memory() const noexcept {
    return feed::nonzero_range(executed_->destination_memory);
  }
  [[nodiscard]] constexpr auto source_memory() const noexcept {
    return feed::nonzero_range(executed_->source_memory);
  }

  // Returns all data of the instruction, including the operand arrays and the counts of dropped
  // operands. set_next_ip() may change target(), but never changes the record's `target`.
  [[nodiscard]] constexpr const Executed& record() const noexcept { return *executed_; }
  [[nodiscard]] constexpr std::optional<std::uint32_t> thread() const noexcept {
    return executed_->known_thread ? std::optional(executed_->thread) : std::nullopt;
  }
  // Returns the index among the instructions of all threads.
  [[nodiscard]] constexpr std::uint64_t index() const noexcept { return executed_->index; }
  [[nodiscard]] constexpr x86::outcome outcome() const noexcept { return executed_->outcome; }
  // Returns the number of operands that do not fit in a ChampSim record (feed::dropped_operands).
  [[nodiscard]] constexpr std::uint64_t dropped_operands() const noexcept {
    return executed_->dropped();
  }
  // Returns the bits of feed::uncertainty that apply to the instruction.
  [[nodiscard]] constexpr std::uint8_t uncertainty() const noexcept {
    const auto bit = [](bool there, feed::uncertainty d) {
      return there ? static_cast<unsigned>(d) : 0U;
    };
    return static_cast<std::uint8_t>(
        bit(!executed_->complete, feed::uncertainty::unknown_address) |
        bit(!executed_->decoded, feed::uncertainty::undecoded) |
        bit(executed_->outcome == x86::outcome::estimated, feed::uncertainty::estimated_outcome));
  }
  // Returns the size of the code in bytes.
  [[nodiscard]] constexpr std::size_t length() const noexcept { return executed_->length; }

  // Calls f(is_used, address, size in bytes, is_write) for each slot of the memory lists. Slots of
  // an empty list are skipped.
  static constexpr std::size_t access_slots = 6;
  template <class F> TRACECODEC_INLINE constexpr void for_each_access_slot(F f) const {
    const auto all = [&f](const auto& addresses, const auto& sizes, bool write) {
      if (addresses[0] == 0 && sizes[0] == 0) return;  // most instructions do not access memory
      bool there = true;
      for (std::size_t i = 0; i < addresses.size(); ++i) {
        there = there && (addresses[i] != 0 || sizes[i] != 0);
        f(there, addresses[i], sizes[i], write);
      }
    };
    all(executed_->source_memory, executed_->source_sizes, false);
    all(executed_->destination_memory, executed_->destination_sizes, true);
  }

  // Range of whole memory operands with their true sizes. Reads precede writes. Dropped operands
  // are not included.
  class access_list {
   public:
    [[nodiscard]] constexpr auto begin() const noexcept { return all_.begin(); }
    [[nodiscard]] constexpr auto end() const noexcept { return all_.begin() + n_; }
    [[nodiscard]] constexpr std::size_t size() const noexcept {
      return static_cast<std::size_t>(n_);
    }

   private:
    friend executed_view;
    template <std::size_t N> constexpr void add(const std::array<std::uint64_t, N>& addresses,
                                                const std::array<std::uint16_t, N>& sizes,
                                                bool write) noexcept {
      for (std::size_t i = 0; i < N && (addresses[i] != 0 || sizes[i] != 0); ++i)
        all_[static_cast<std::size_t>(n_++)] = {addresses[i], sizes[i], write};
    }
    std::array<memory_access, 6> all_ = {};
    std::ptrdiff_t n_ = 0;
  };
  [[nodiscard]] constexpr access_list accesses() const noexcept {
    access_list list;
    list.add(executed_->source_memory, executed_->source_sizes, false);
    list.add(executed_->destination_memory, executed_->destination_sizes, true);
    return list;
  }

 private:
  const Executed* executed_;
  std::uint64_t target_;
};

// Counts of all decoded instructions, and of instructions with missing or uncertain data.
struct lift_counts {
  std::uint64_t instructions = 0;
  std::uint64_t clipped = 0;     // instructions with more operands than a record can store
  std::uint64_t incomplete = 0;  // instructions with memory operands at unknown addresses
  std::uint64_t undecoded = 0;   // instructions with bytes that cannot be decoded
  std::uint64_t estimated = 0;   // branches with an estimated outcome

  void add(const executed_instruction& l) noexcept {
    ++instructions;
    clipped += l.clipped();
    incomplete += !l.complete;
    undecoded += !l.decoded;
    estimated += l.outcome == outcome::estimated;
  }
};

}  // namespace tracecodec::x86
