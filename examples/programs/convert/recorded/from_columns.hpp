// Reads the instructions of any trace with the values of registers and memory, for formats that list
// the values that change.
#pragma once
#include <tracecodec/feed/columns.hpp>
#include <tracecodec/trace/reader.hpp>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "../../common/progress.hpp"
#include "../conversion.hpp"

namespace convert {

// Up to 8 bytes of the register with the number `number`, from byte `offset` on.
struct recorded_register {
  std::uint8_t number = 0;
  std::uint16_t offset = 0;  // a multiple of 8
  std::uint64_t value = 0;
};
struct recorded_operand {
  std::uint64_t address = 0;
  std::uint64_t size = 0;  // in bytes, or 0 if it is unknown
  bool write = false;
  std::span<const std::byte> bytes = {};  // empty if at least one of them is unknown
};
// Instruction with the registers whose values before it are new, and with its memory operands.
struct recorded_step {
  std::uint64_t index = 0, ip = 0;
  std::span<const recorded_register> registers = {};
  std::span<const recorded_operand> operands = {};
  // Code and text of the instruction, which are empty if the trace does not store them, and its thread.
  std::span<const std::byte> code = {};
  std::string_view text = {};
  std::uint32_t thread = 0;
  bool not_taken = false;  // true for a conditional branch that is not taken
};

// Values of registers, as the rows of columns record them. A value that is recorded after an
// instruction is one before the next instruction, too.
class register_tracker {
 public:
  // Adds the values of row `row` that are recorded before the instruction, or those after it.
  void add(const tracecodec::feed::register_values_column& from, std::size_t row, bool after) {
    if (from.offsets.empty()) return;
    for (std::size_t k = from.begin(row); k != from.end(row); ++k)
      if ((from.after[k] != 0) == after && from.offset[k] < 64)
        set(std::size_t{from.number[k]} * 8 + from.offset[k] / 8, from.offset[k] % 8, from.size[k],
            from.value[k]);
  }
  // Makes the values of all known registers new, for the registers of another thread.
  void renew() {
    for (std::size_t place = 0; place != most; ++place) {
      if (!is_known_[place]) continue;
      is_known_[place] = false;
      list(place);
    }
  }
  // Returns the registers with new values since the last call, in ascending order.
  std::span<const recorded_register> take() {
    changed_.clear();
    for (const std::uint16_t place : places_) {
      is_listed_[place] = false;
      if (is_known_[place] && was_[place] == now_[place]) continue;
      is_known_[place] = true;
      was_[place] = now_[place];
      changed_.push_back({static_cast<std::uint8_t>(place / 8),
                          static_cast<std::uint16_t>(place % 8 * 8), now_[place]});
    }
    places_.clear();
    return changed_;
  }

 private:
  static constexpr std::size_t most = std::size_t{256} * 8;

  void set(std::size_t place, unsigned first, unsigned size, std::uint64_t value) {
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * size) << 8 * first;
    now_[place] = (now_[place] & ~mask) | (value << 8 * first & mask);
    list(place);
  }
  void list(std::size_t place) {
    if (is_listed_[place]) return;
    is_listed_[place] = true;
    places_.push_back(static_cast<std::uint16_t>(place));
  }

  std::array<std::uint64_t, most> now_ = {}, was_ = {};
  std::bitset<most> is_known_ = {}, is_listed_ = {};
  std::vector<std::uint16_t> places_ = {};  // those that take() compares
  std::vector<recorded_register> changed_ = {};
};

// Bytes at addresses. A byte replaces an earlier one at the same address.
class known_bytes {
 public:
  void clear() {
    all_.clear();
    is_sorted_ = true;
    last_ = 0;
  }
  void add(std::uint64_t address, std::span<const std::byte> bytes) {
    for (const std::byte one : bytes) {
      is_sorted_ = is_sorted_ && (all_.empty() || all_.back().address < address);
      all_.push_back({address++, all_.size(), one});
    }
  }
  // Returns the byte at `address`, or null. Addresses in ascending order take constant time.
  const std::byte* at(std::uint64_t address) {
    if (!std::exchange(is_sorted_, true)) sort();
    if (last_ == all_.size() || all_[last_].address != address)
      last_ = static_cast<std::size_t>(
          std::lower_bound(all_.begin(), all_.end(), address,
                           [](const place& a, std::uint64_t b) { return a.address < b; }) -
          all_.begin());
    if (last_ == all_.size() || all_[last_].address != address) return nullptr;
    return &all_[last_++].value;
  }

 private:
  struct place {
    std::uint64_t address;
    std::size_t number;  // bytes before this one
    std::byte value;
  };
  // Sorts the bytes, and keeps the last one at each address.
  void sort() {
    std::sort(all_.begin(), all_.end(), [](const place& a, const place& b) {
      return std::pair(a.address, a.number) < std::pair(b.address, b.number);
    });
    std::size_t kept = 0;
    for (const place& one : all_) {
      if (kept != 0 && all_[kept - 1].address == one.address) --kept;
      all_[kept++] = one;
    }
    all_.resize(kept);
  }

  std::vector<place> all_ = {};
  bool is_sorted_ = true;
  std::size_t last_ = 0;  // index after the byte that at() returned last
};

// Memory operands of a row, with the bytes that the row records. The time for `n` operands and bytes is
// proportional to n log n.
class operand_bytes {
 public:
  // Returns the operands of row `row`. The bytes of a read are those after the instruction if
  // `reads_after` is true, otherwise those before it.
  std::span<const recorded_operand> of(const tracecodec::feed::columns& batch, std::size_t row,
                                       bool reads_after) {
    const auto memory = batch.memory();
    read_values(batch.memory_values(), row);
    all_.clear();
    bytes_.clear();
    sizes_.clear();
    for (std::size_t k = memory.begin(row); k != memory.end(row); ++k) {
      recorded_operand o{memory.address[k], memory.size[k], memory.write[k] != 0, {}};
      if (o.size == 0) o.size = recorded_size(o);
      sizes_.push_back(add(o, reads_after));
      all_.push_back(o);
    }
    std::size_t at = 0;
    for (std::size_t n = 0; n != all_.size(); ++n) {
      all_[n].bytes = std::span<const std::byte>(bytes_).subspan(at, sizes_[n]);
      at += sizes_[n];
    }
    return all_;
  }

 private:
  // Recorded value of memory.
  struct value {
    std::uint64_t address;
    bool after;
    std::size_t number;  // recorded values before this one
    std::uint64_t size;
    friend bool operator<(const value& a, const value& b) noexcept {
      return std::tuple(a.address, a.after, a.number) < std::tuple(b.address, b.after, b.number);
    }
  };

  void read_values(const tracecodec::feed::memory_values_column& from, std::size_t row) {
    before_.clear();
    after_.clear();
    values_.clear();
    are_sorted_ = false;
    if (from.offsets.empty()) return;
    for (std::size_t k = from.begin(row); k != from.end(row); ++k) {
      const bool after = from.after[k] != 0;
      if (after || from.trusted[k] != 0)
        (after ? after_ : before_).add(from.address[k], from.bytes[k]);
      values_.push_back({from.address[k], after, values_.size(), from.bytes.count(k)});
    }
  }
  // Returns the size of the first recorded value at the operand's address, or 0 if there is none.
  [[nodiscard]] std::uint64_t recorded_size(const recorded_operand& o) {
    if (!std::exchange(are_sorted_, true)) std::sort(values_.begin(), values_.end());
    const value wanted{o.address, o.write, 0, 0};
    const auto at = std::lower_bound(values_.begin(), values_.end(), wanted);
    return at == values_.end() || at->address != o.address || at->after != o.write ? 0 : at->size;
  }
  // Adds the operand's bytes to bytes_ if all of them are recorded. Returns their number.
  std::size_t add(const recorded_operand& o, bool reads_after) {
    if (o.size == 0 || o.size > tracecodec::feed::columns::most_rows * 16) return 0;
    const std::size_t first = bytes_.size();
    for (std::uint64_t n = 0; n != o.size; ++n) {
      const std::byte* one = o.write || reads_after ? after_.at(o.address + n) : nullptr;
      if (one == nullptr && !o.write) one = before_.at(o.address + n);
      if (one == nullptr) {
        bytes_.resize(first);
        return 0;
      }
      bytes_.push_back(*one);
    }
    return bytes_.size() - first;
  }

  known_bytes before_ = {}, after_ = {};
  std::vector<value> values_ = {};
  bool are_sorted_ = false;
  std::vector<recorded_operand> all_ = {};
  std::vector<std::byte> bytes_ = {};
  std::vector<std::size_t> sizes_ = {};
};

// Numbers of values that a conversion leaves out.
struct left_out_values {
  std::uint64_t switches = 0;  // instructions that follow one of another thread
  std::uint64_t operands = 0;  // memory operands with unknown bytes
  std::uint64_t elements = 0;  // elements of lists that do not fit into columns

  // Prints a message about the elements, if there are any.
  void say_elements() const {
    if (elements != 0)
      say(some(elements, "list element") +
          " left out: columns have up to 64 KiB of each list of an instruction");
  }
};

// Calls each(step) for the part of a trace that the options select. Registers that changed before
// this part are new in its first step. If `each_thread` is true, all registers are new where the thread
// changes. Returns the error that ended the trace early, or null.
template <class Each> std::exception_ptr for_each_recorded(tracecodec::trace::reader& from,
                                                           const options& o, bool reads_after,
                                                           left_out_values& lost, Each each,
                                                           bool each_thread = false) {
  namespace feed = tracecodec::feed;
  using feed::column;
  feed::column_set wanted{column::ip, column::memory, column::thread, column::branch,
                          column::taken};
  for (const column c :
       {column::register_values, column::memory_values, column::code, column::text})
    if (from.has().has(c)) wanted |= feed::column_set{c};
  from.want(wanted);
  std::uint64_t index = o.part.skip;
  std::optional<std::uint32_t> thread;
  register_tracker registers;
  operand_bytes operands;
  examples::progress_line progress(o.in);
  feed::columns batch;
  for (bool begun = false;;) {
    try {
      if (!std::exchange(begun, true)) go_to(from, o.part);
      if (!from.next(batch)) return nullptr;
    } catch (const io::interruption&) {
      throw;
    } catch (...) {
      return std::current_exception();
    }
    stop_if_interrupted();
    lost.elements += batch.left_out();
    for (std::size_t row = 0; row != batch.size(); ++row) {
      const bool switches = thread && *thread != batch.thread()[row];
      lost.switches += switches;
      if (switches && each_thread) registers.renew();
      thread = batch.thread()[row];
      const auto values = batch.register_values();
      registers.add(values, row, false);
      recorded_step step{index++, batch.ip()[row], registers.take(),
                         operands.of(batch, row, reads_after)};
      if (from.has().has(column::code)) step.code = batch.code()[row];
      if (from.has().has(column::text)) {
        const auto bytes = batch.text()[row];
        step.text = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
      }
      step.thread = *thread;
      step.not_taken =
          batch.branch()[row] == feed::branch_class::conditional && batch.taken()[row] == 0;
      for (const recorded_operand& one : step.operands) lost.operands += one.bytes.empty();
      each(step);
      registers.add(values, row, true);
    }
    progress.at(from.progress());
  }
}

}  // namespace convert
