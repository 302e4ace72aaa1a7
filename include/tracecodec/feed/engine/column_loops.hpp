// Loops that fill columns from a feed's instructions. Some loops fill several columns during one
// pass over the instructions, and some fill lists of operands that are stored in slots.
// column_filler.hpp fills columns whose data may be damaged or may not fit.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../../wire/types/bytes.hpp"
#include "../column_traits.hpp"
#include "../columns.hpp"

namespace tracecodec::feed::detail {

// Instructions of a batch, from index `first` on. The first of these instructions becomes row
// `row`.
template <class Batch> struct column_part {
  using value_type = typename Batch::value_type;
  // Number of rows that are processed at a time. Their instructions take up to 16 KiB and stay in
  // the cache.
  static constexpr std::size_t most = [] {
    if constexpr (requires(const value_type& i) { i.record(); })
      return (std::size_t{1} << 14) /
             std::max<std::size_t>(sizeof(std::declval<const value_type&>().record()), 64);
    else
      return std::size_t{256};
  }();

  Batch from;
  std::size_t first, row;
  [[nodiscard]] TRACECODEC_INLINE value_type operator[](std::size_t k) const {
    return from[first + k];
  }
  // Prefetches records of a mapped file while earlier records are processed.
  TRACECODEC_INLINE void prefetch(std::size_t k) const {
#if defined(__GNUC__)
    if constexpr (requires { from.records().data(); })
      __builtin_prefetch(
          reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(from.records().data()) +
                                        (first + k + most) * sizeof(*from.records().data())));
#endif
  }
};

// Returns the number of slots in a list of operands, including empty slots. Returns 0 for a list
// without slots.
template <class List> constexpr std::size_t slots_of() noexcept {
  if constexpr (requires(const List& l) { l.slots(); })
    return decltype(std::declval<const List&>().slots())::extent;
  else
    return 0;
}
// Returns the number of slots for an instruction's memory accesses, or 0 if there are no slots.
template <class I> constexpr std::size_t access_slots_of() noexcept {
  using reads = decltype(std::declval<const I&>().source_memory());
  using writes = decltype(std::declval<const I&>().destination_memory());
  if constexpr (requires(const I& i) { i.for_each_access_slot([](auto...) {}); })
    return I::access_slots;
  else if constexpr (with_sized_accesses<I> || slots_of<reads>() == 0 || slots_of<writes>() == 0)
    return 0;
  else
    return slots_of<reads>() + slots_of<writes>();
}
// Returns true if `Lists` can store `slots` operands per row for a full batch, whatever the
// instructions are.
template <class Lists> constexpr bool fit(std::size_t slots) noexcept {
  return slots != 0 && slots <= Lists::most / columns::most_rows;
}

// Loops that fill the columns `wanted` of `n` rows. left() returns the requested columns that the
// loops do not fill.
template <batch Batch> class column_loops {
  using part = column_part<Batch>;
  using I = typename part::value_type;

 public:
  column_loops(columns& to, const part& from, std::size_t n, column_set wanted)
      : to_(to), from_(from), n_(n), left_(wanted) {
    if constexpr (!has_branches<I>()) fill_no_branches();
    if constexpr (with_event<I>) {
      fill_accesses_of_events();
      fill_events();
    }
    fill_flow();
    fill_facts();
    fill_one_by_one();
    fill_slots();
  }
  [[nodiscard]] column_set left() const noexcept { return left_; }

 private:
  // Buffers for the values of columns that were not requested. The values are never read, but
  // storing them is cheaper than testing in each row whether the column is requested.
  template <class T> struct unused_values { T values[part::most]; };
  struct unused_columns : unused_values<std::uint64_t>,
                          unused_values<std::uint32_t>,
                          unused_values<std::uint8_t>,
                          unused_values<branch_class> {};
  template <class T>
  T* new_rows(column_buffer<T>& of, column c, unused_columns& instead) const noexcept {
    return left_.has(c) ? of.data() + from_.row : static_cast<unused_values<T>&>(instead).values;
  }
  bool take(column c) noexcept {
    const bool there = left_.has(c);
    left_ = left_ - column_set{c};
    return there;
  }

  template <class T, class Value> void fill(column_buffer<T>& of, column c, Value value) {
    if (!take(c)) return;
    T* const to = of.data() + from_.row;
    // A local copy can stay in registers.
    const part own = from_;
    for (std::size_t k = 0; k != n_; ++k) to[k] = static_cast<T>(value(own[k]));
  }
  template <class T> void fill_same(column_buffer<T>& of, column c, T value) {
    if (take(c)) std::fill_n(of.data() + from_.row, n_, value);
  }

  void fill_no_branches() {
    fill_same(to_.branch_, column::branch, branch_class::not_branch);
    fill_same(to_.is_branch_, column::is_branch, std::uint8_t{0});
    fill_same(to_.taken_, column::taken, std::uint8_t{0});
    fill_same(to_.target_, column::target, std::uint64_t{0});
  }
  // Fills the ip column together with the branch columns.
  void fill_flow() {
    constexpr column_set all = branch_columns | column_set{column::ip};
    if (!left_.has_any(branch_columns)) return;
    // If only the class is requested, do not compute the target, which costs more.
    if ((left_ & all) == column_set{column::branch})
      return fill(to_.branch_, column::branch, [](const I& i) { return i.branch(); });
    unused_columns none;
    std::uint64_t* const ips = new_rows(to_.ip_, column::ip, none);
    branch_class* const branches = new_rows(to_.branch_, column::branch, none);
    std::uint8_t* const flags = new_rows(to_.is_branch_, column::is_branch, none);
    std::uint8_t* const taken = new_rows(to_.taken_, column::taken, none);
    std::uint64_t* const targets = new_rows(to_.target_, column::target, none);
    const part own = from_;
    for (std::size_t k = 0, n = n_; k != n; ++k) {
      const I i = own[k];
      ips[k] = i.ip();
      branches[k] = i.branch();
      flags[k] = i.is_branch() ? 1 : 0;
      taken[k] = i.taken() ? 1 : 0;
      targets[k] = i.target();
    }
    left_ = left_ - all;
  }
  // Fills columns that statistics need for every instruction.
  void fill_facts() {
    constexpr column_set facts{column::reads, column::writes, column::recorded_branch,
                               column::recorded_taken};
    if (!left_.has_any(facts)) return;
    unused_columns none;
    std::uint64_t* const ips = new_rows(to_.ip_, column::ip, none);
    std::uint8_t* const reads = new_rows(to_.reads_, column::reads, none);
    std::uint8_t* const writes = new_rows(to_.writes_, column::writes, none);
    [[maybe_unused]] std::uint8_t* const branches =
        new_rows(to_.recorded_branch_, column::recorded_branch, none);
    [[maybe_unused]] std::uint8_t* const taken =
        new_rows(to_.recorded_taken_, column::recorded_taken, none);
    [[maybe_unused]] std::uint32_t* const threads = new_rows(to_.thread_, column::thread, none);
    [[maybe_unused]] std::uint8_t* const known =
        new_rows(to_.thread_known_, column::thread_known, none);
    const part own = from_;
    for (std::size_t k = 0, n = n_; k != n; ++k) {
      own.prefetch(k);
      const I i = own[k];
      ips[k] = i.ip();
      if constexpr (has_threads<I>()) threads[k] = i.asid();
      if constexpr (with_known_thread<I>) known[k] = i.thread().has_value() ? 1 : 0;
      reads[k] = any_of(i.source_memory()) ? 1 : 0;
      writes[k] = any_of(i.destination_memory()) ? 1 : 0;
      if constexpr (with_recorded_branch<I>) {
        branches[k] = i.record().is_branch != 0 ? 1 : 0;
        taken[k] = i.record().branch_taken != 0 ? 1 : 0;
      }
    }
    left_ = left_ - (facts | column_set{column::ip});
    if constexpr (has_threads<I>()) take(column::thread);
    if constexpr (with_known_thread<I>) take(column::thread_known);
  }
  // Fills all fixed-size columns of events.
  void fill_events() {
    constexpr column_set all{column::ip,    column::thread,   column::operation,
                             column::decor, column::location, column::event_operand};
    if (!left_.has_any(all)) return;
    unused_columns none;
    std::uint64_t* const ips = new_rows(to_.ip_, column::ip, none);
    std::uint32_t* const threads = new_rows(to_.thread_, column::thread, none);
    std::uint8_t* const operations = new_rows(to_.operation_, column::operation, none);
    std::uint64_t* const decors = new_rows(to_.decor_, column::decor, none);
    std::uint32_t* const locations = new_rows(to_.location_, column::location, none);
    std::uint64_t* const operands = new_rows(to_.event_operand_, column::event_operand, none);
    const part own = from_;
    for (std::size_t k = 0, n = n_; k != n; ++k) {
      const I i = own[k];
      const auto& e = i.event();
      ips[k] = i.ip();
      threads[k] = i.asid();
      operations[k] = static_cast<std::uint8_t>(e.operation);
      decors[k] = e.decor;
      locations[k] = e.location;
      operands[k] = i.event_operand();
    }
    left_ = left_ - all;
  }
  // Fills the memory accesses of events, and other columns that cost little at the same time.
  // Events have no registers.
  void fill_accesses_of_events() {
    if (!left_.has(column::memory)) return;
    unused_columns none;
    std::uint64_t* const ips = new_rows(to_.ip_, column::ip, none);
    std::uint64_t* const lost = new_rows(to_.dropped_operands_, column::dropped_operands, none);
    std::uint32_t* const threads = new_rows(to_.thread_, column::thread, none);
    std::uint8_t* const reads = new_rows(to_.reads_, column::reads, none);
    std::uint8_t* const writes = new_rows(to_.writes_, column::writes, none);
    fill_memory([=](std::size_t k, const I& i) {
      ips[k] = i.ip();
      threads[k] = i.asid();
      lost[k] = i.dropped_operands();
      reads[k] = any_of(i.source_memory()) ? 1 : 0;
      writes[k] = any_of(i.destination_memory()) ? 1 : 0;
    });
    left_ = left_ - column_set{column::ip,    column::thread, column::dropped_operands,
                               column::reads, column::writes, column::memory};
    if (take(column::destination_registers))
      to_.destination_registers_.add_empty_rows(from_.row, n_);
    if (take(column::source_registers)) to_.source_registers_.add_empty_rows(from_.row, n_);
  }
  // Fills the remaining columns one by one.
  void fill_one_by_one() {
    fill(to_.ip_, column::ip, [](const I& i) { return i.ip(); });
    if constexpr (has_threads<I>())
      fill(to_.thread_, column::thread, [](const I& i) { return i.asid(); });
    else
      fill_same(to_.thread_, column::thread, std::uint32_t{0});
    if constexpr (with_known_thread<I>)
      fill(to_.thread_known_, column::thread_known,
           [](const I& i) { return i.thread().has_value(); });
    if constexpr (requires(const I& i) { i.dropped_operands(); })
      fill(to_.dropped_operands_, column::dropped_operands,
           [](const I& i) { return i.dropped_operands(); });
    else
      fill_same(to_.dropped_operands_, column::dropped_operands, std::uint64_t{0});
    if constexpr (with_index<I>) {
      fill(to_.index_, column::index, [](const I& i) { return i.index(); });
    } else if (take(column::index)) {
      for (std::size_t k = 0; k != n_; ++k)
        to_.index_.data()[from_.row + k] = to_.first_ + from_.row + k;
    }
    if constexpr (with_length<I>)
      fill(to_.code_size_, column::size, [](const I& i) {
        return std::min<std::size_t>(i.length(), std::numeric_limits<std::uint32_t>::max());
      });
    if constexpr (with_uncertainty<I>)
      fill(to_.uncertainty_, column::uncertainty, [](const I& i) { return i.uncertainty(); });
    if constexpr (with_system_events<I>) {
      fill(to_.time_, column::time, [](const I& i) { return i.time(); });
      fill(to_.cpu_, column::cpu, [](const I& i) { return i.cpu(); });
      fill(to_.system_events_, column::system_events, [](const I& i) { return i.system_events(); });
    }
  }

  void fill_slots() {
    fill_registers(to_.destination_registers_, column::destination_registers,
                   [](const I& i) { return i.destination_registers(); });
    fill_registers(to_.source_registers_, column::source_registers,
                   [](const I& i) { return i.source_registers(); });
    if (left_.has(column::memory)) {
      if constexpr (fit<decltype(to_.memory_)>(access_slots_of<I>())) {
        fill_memory([](std::size_t /*k*/, const I& /*i*/) {});
        take(column::memory);
      }
    }
  }
  template <class Lists, class Registers>
  void fill_registers(Lists& to, column c, Registers registers_of) {
    constexpr std::size_t slots = slots_of<decltype(registers_of(std::declval<const I&>()))>();
    if constexpr (fit<Lists>(slots)) {
      if (!take(c)) return;
      typename Lists::template slot_writer<slots> row(to);
      const part own = from_;
      for (std::size_t k = 0, n = n_; k != n; ++k) {
        own.prefetch(k);
        for (const auto r : registers_of(own[k]).slots())
          row.add(r != 0, static_cast<std::uint8_t>(r));
        row.close_row(own.row + k);
      }
    }
  }
  // Fills the list of memory accesses. Calls also(k, instruction) for each row `k`.
  template <class Also> TRACECODEC_INLINE void fill_memory(Also also) {
    typename decltype(to_.memory_)::template slot_writer<access_slots_of<I>()> row(to_.memory_);
    const std::size_t first = row.size();
    constexpr std::uint8_t read = 0, written = 1;
    const part own = from_;
    for (std::size_t k = 0, n = n_; k != n; ++k) {
      own.prefetch(k);
      const I i = own[k];
      if constexpr (requires { i.for_each_access_slot([](auto...) {}); }) {
        i.for_each_access_slot(
            [&row](bool there, std::uint64_t address, std::uint64_t size, bool write) {
              row.add(there, address, size, write ? written : read);
            });
      } else {
        add_slots(row, i.source_memory(), read);
        add_slots(row, i.destination_memory(), written);
      }
      row.close_row(own.row + k);
      also(k, i);
    }
    if constexpr (!requires(const I& i) { i.for_each_access_slot([](auto...) {}); })
      row.template fill<1>(first, std::uint64_t{0});
  }
  template <class Row, class Addresses>
  TRACECODEC_INLINE static void add_slots(Row& row, const Addresses& all, std::uint8_t write) {
    const auto slots = all.slots();
    const auto add = [&](std::uint64_t address) { row.add(address != 0, address, later(), write); };
    add(slots[0]);
    // Most instructions have at most one address. Branches on the individual slots would be
    // mispredicted.
    std::uint64_t more = 0;
    for (std::size_t i = 1; i != slots.size(); ++i) more |= slots[i];
    if (more == 0) [[likely]]
      return;
    for (std::size_t i = 1; i != slots.size(); ++i) add(slots[i]);
  }
  // Returns true if at least one slot has an address. Uses no branch per slot.
  template <class Addresses> TRACECODEC_INLINE static bool any_of(const Addresses& all) {
    if constexpr (slots_of<Addresses>() != 0) {
      std::uint64_t any = 0;
      for (const std::uint64_t address : all.slots()) any |= address;
      return any != 0;
    } else {
      return all.begin() != all.end();
    }
  }

  columns& to_;
  part from_;
  std::size_t n_;
  column_set left_;
};

}  // namespace tracecodec::feed::detail
