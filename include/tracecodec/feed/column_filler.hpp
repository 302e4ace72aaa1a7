// Fills columns from the batches of any feed.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../io/error.hpp"
#include "../wire/bytes.hpp"
#include "column_traits.hpp"
#include "columns.hpp"
#include "values.hpp"

namespace tracecodec::feed {

// begin(), add() for parts of the feed's batches in their order, end(). Columns are filled one
// after the other, some hundred rows each, so that what they are made of is still in the cache:
// only what was asked for costs anything, and nothing is decided for each row.
template <stream Feed> class column_filler {
  using batch_type = typename Feed::batch_type;
  using I = typename batch_type::value_type;

 public:
  using named_register = typename detail::register_to_watch<Feed>::type;
  using named_mnemonic = typename detail::mnemonic_to_watch<Feed>::type;

  // What the columns `watched` and `called` are about; without them the first is empty, and the
  // second 0.
  void watch_register(named_register r) { register_.emplace(std::move(r)); }
  void watch_mnemonic(named_mnemonic m) { mnemonic_.emplace(std::move(m)); }

  // An empty batch of columns `wanted`, which are common_columns and columns_known(). Its first row
  // is number `first`, and it gets `most` rows at most. Of the columns `lenient` a row is empty if
  // what it would tell is damaged.
  void begin(columns& to, column_set wanted, column_set lenient, std::uint64_t first,
             std::size_t most = columns::most_rows) {
    to.begin(wanted, first, most);
    wanted_ = wanted;
    lenient_ = lenient;
    failure_ = nullptr;
    last_ = nullptr;
  }

  // Adds the first `n` instructions of `from`, for which there is room. Returns how many: fewer if
  // the values of the next one have no room, or if they are damaged, which failure() is. Then the
  // batch ends, and may be begun again with that one.
  std::size_t add(columns& to, const batch_type& from, std::size_t n) {
    std::size_t done = 0;
    while (done != n) {
      const std::size_t wanted = std::min(n - done, chunk);
      const std::size_t got = add_part(to, {from, done, to.size_}, wanted);
      to.size_ += got;
      done += got;
      if (got != wanted) {
        to.cut();
        break;
      }
    }
    return done;
  }

  // The feed's batch will be gone, and the columns go on.
  void pass_batch() {
    if constexpr (with_all_registers<I>)
      if (last_ != nullptr && last_ != kept_.get()) {
        if (!kept_) kept_ = std::make_unique<register_file>();
        *kept_ = *last_;
        last_ = kept_.get();
      }
  }

  // `ends`: whether the trace, or a pass over it, ends behind the batch; `goes_on`: see columns.
  void end(columns& to, bool ends, bool goes_on = false) { to.end(ends, goes_on); }
  // Why add() stopped, if what the next instruction tells is damaged.
  [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }

 private:
  using register_file = typename detail::register_file_of<I>::type;
  // Rows that are filled at once: so many that what they are made of, 16 KiB or less, stays in the cache.
  static constexpr std::size_t chunk = [] {
    if constexpr (requires(const I& i) { i.record(); })
      return (std::size_t{1} << 14) /
             std::max<std::size_t>(sizeof(std::declval<const I&>().record()), 64);
    else
      return std::size_t{256};
  }();

  // Instructions from `first` on, which become rows from `row` on.
  struct part {
    batch_type from;
    std::size_t first, row;
    [[nodiscard]] TRACECODEC_INLINE I operator[](std::size_t k) const { return from[first + k]; }
    // Records that lie in a file get into the cache while those before them are worked on.
    TRACECODEC_INLINE void prefetch(std::size_t k) const {
#if defined(__GNUC__)
      if constexpr (requires { from.records().data(); })
        __builtin_prefetch(
            reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(from.records().data()) +
                                          (first + k + chunk) * sizeof(*from.records().data())));
#endif
    }
  };

  // Where events become instructions each look at one is a search, so that there is one for all. Elsewhere
  // loops that do less keep what they need in registers.
  static constexpr bool tells_at_once = with_event<I>;

  std::size_t add_part(columns& to, const part& p, std::size_t n) {
    bool whole = false;
    if constexpr (tells_at_once) {
      whole = wanted_.has_any(operand_columns);
      if (whole) n = add_whole(to, p, n);
    }
    if (!whole) add_common(to, p, n);
    add_rest(to, p, n, whole);
    add_own(to, p, n);
    // From here on rows may be refused: the first one that is ends the batch.
    if (!whole) {
      fill_lists(to.destination_registers_, column::destination_registers, p, n,
                 [](auto& row, const I& i) { add_registers(row, i.destination_registers()); });
      fill_lists(to.source_registers_, column::source_registers, p, n,
                 [](auto& row, const I& i) { add_registers(row, i.source_registers()); });
      fill_lists(to.memory_, column::memory, p, n,
                 [](auto& row, const I& i) { add_memory(row, i); });
    }
    if constexpr (with_code<I> && !with_length<I>) {
      detail::value_writer sizes(to.code_size_);
      fill_rows(sizes, column::size, p, n, [](auto& row, const I& i) {
        row.add(clamped(std::span<const std::byte>(i.code()).size()));
      });
    }
    if constexpr (with_code<I>)
      fill_lists(to.code_, column::code, p, n,
                 [](auto& row, const I& i) { row.append(std::span<const std::byte>(i.code())); });
    if constexpr (with_held_text<I>)
      fill_lists(to.text_, column::text, p, n, [](auto& row, const I& i) {
        row.append(std::as_bytes(std::span<const char>(std::string_view(assembly(i)))));
      });
    if constexpr (with_memory_values<I>)
      fill_lists(to.memory_values_, column::memory_values, p, n,
                 [](auto& row, const I& i) { add_memory_values(row, i); });
    if constexpr (with_each_register<I>)
      fill_lists(to.register_values_, column::register_values, p, n,
                 [this](auto& row, const I& i) { this->add_register_values(row, i); });
    if constexpr (with_named_registers<Feed>)
      fill_lists(to.watched_, column::watched, p, n, [this](auto& row, const I& i) {
        if (register_)
          for_each_value_of(i, *register_, [&row](std::uint64_t value, bool after) {
            row.add(value, after ? std::uint8_t{1} : std::uint8_t{0});
          });
      });
    if constexpr (with_mnemonics<Feed>) {
      detail::value_writer called(to.called_);
      fill_rows(called, column::called, p, n, [this](auto& row, const I& i) {
        row.add(mnemonic_ && is_called(i, *mnemonic_) ? 1 : 0);
      });
    }
    return n;
  }

  // What every feed has.
  void add_common(columns& to, const part& p, std::size_t n) const {
    // The class alone costs less than where a branch goes.
    const column_set flow = wanted_ & (branch_columns | column_set{column::ip});
    const bool only_class = flow == column_set{column::branch};
    const bool flows = flow.has_any(branch_columns) && !only_class;
    if (only_class)
      fill(to.branch_, column::branch, p, n, [](const I& i) { return i.branch(); });
    else if (flows)
      add_flow(to, p, n);
    const bool facts = wanted_.has_any(
        column_set{column::reads, column::writes, column::recorded_branch, column::recorded_taken});
    if (facts) add_facts(to, p, n);
    if constexpr (with_event<I>) {
      add_event(to, p, n);
    } else if (!facts) {
      if (!flows) fill(to.ip_, column::ip, p, n, [](const I& i) { return i.ip(); });
      fill(to.thread_, column::thread, p, n, [](const I& i) { return i.asid(); });
      if constexpr (with_known_thread<I>)
        fill(to.thread_known_, column::thread_known, p, n,
             [](const I& i) { return i.thread().has_value(); });
    } else if constexpr (!has_threads<I>()) {
      if (wanted_.has(column::thread)) std::fill_n(to.thread_.data() + p.row, n, 0U);
    }
  }
  // `told`: the operands that are lost are, with the others.
  void add_rest(columns& to, const part& p, std::size_t n, bool told) const {
    if constexpr (requires(const I& i) { i.lost_operands(); }) {
      if (!told)
        fill(to.lost_operands_, column::lost_operands, p, n,
             [](const I& i) { return i.lost_operands(); });
    } else if (wanted_.has(column::lost_operands)) {
      std::fill_n(to.lost_operands_.data() + p.row, n, 0U);
    }
    if constexpr (with_index<I>) {
      fill(to.index_, column::index, p, n, [](const I& i) { return i.index(); });
    } else if (wanted_.has(column::index)) {
      for (std::size_t k = 0; k != n; ++k) to.index_.data()[p.row + k] = to.first_ + p.row + k;
    }
  }
  // All of what every feed has, but for what is the same of all: no branch, no register. Returns for how
  // many rows the list has room.
  std::size_t add_whole(columns& to, const part& p, std::size_t n) {
    struct {
      std::uint64_t ips[chunk], lost[chunk];
      std::uint32_t threads[chunk];
      std::uint8_t flags[2][chunk];
    } unasked;  // NOLINT: only written
    const auto at = [&](auto& of, column c, auto* instead) {
      return wanted_.has(c) ? of.data() + p.row : instead;
    };
    std::uint64_t* const ips = at(to.ip_, column::ip, unasked.ips);
    std::uint64_t* const lost = at(to.lost_operands_, column::lost_operands, unasked.lost);
    std::uint32_t* const threads = at(to.thread_, column::thread, unasked.threads);
    std::uint8_t* const reads = at(to.reads_, column::reads, unasked.flags[0]);
    std::uint8_t* const writes = at(to.writes_, column::writes, unasked.flags[1]);
    const bool memory = wanted_.has(column::memory);
    typename decltype(to.memory_)::writer row(to.memory_);
    const part own = p;
    std::size_t k = 0;
    const auto tell = [&]<bool Flags>(std::bool_constant<Flags> /*those of memory*/) {
      for (; k != n && !(memory && row.full()); ++k) {
        const I i = own[k];
        if (memory) {
          row.open_row();
          add_memory(row, i);
          row.close_row(own.row + k);
        }
        ips[k] = i.ip();
        threads[k] = i.asid();
        lost[k] = i.lost_operands();
        if constexpr (Flags) {
          reads[k] = any_of(i.source_memory()) ? 1 : 0;
          writes[k] = any_of(i.destination_memory()) ? 1 : 0;
        }
      }
    };
    if (wanted_.has_any({column::reads, column::writes}))
      tell(std::true_type());
    else
      tell(std::false_type());
    if (wanted_.has_any(
            column_set{column::operation, column::decor, column::location, column::event_operand}))
      add_event(to, p, k);
    const auto none = [&](auto& of, column c, auto value) {
      if (wanted_.has(c)) std::fill_n(of.data() + p.row, k, value);
    };
    none(to.branch_, column::branch, branch_class::not_branch);
    none(to.is_branch_, column::is_branch, std::uint8_t{0});
    none(to.taken_, column::taken, std::uint8_t{0});
    none(to.target_, column::target, std::uint64_t{0});
    const auto empty = [&](auto& of, column c) {
      if (!wanted_.has(c)) return;
      typename std::remove_reference_t<decltype(of)>::writer rows(of);
      rows.add_empty_rows(own.row, k);
    };
    empty(to.destination_registers_, column::destination_registers);
    empty(to.source_registers_, column::source_registers);
    return k;
  }
  // What is counted of every instruction: one loop, as add_flow().
  void add_facts(columns& to, const part& p, std::size_t n) const {
    struct {
      std::uint64_t ips[chunk];
      std::uint32_t threads[chunk];
      std::uint8_t flags[5][chunk];
    } unasked;  // NOLINT: only written
    const auto at = [&](auto& of, column c, auto* instead) {
      return wanted_.has(c) ? of.data() + p.row : instead;
    };
    std::uint64_t* const ips = at(to.ip_, column::ip, unasked.ips);
    std::uint8_t* const reads = at(to.reads_, column::reads, unasked.flags[0]);
    std::uint8_t* const writes = at(to.writes_, column::writes, unasked.flags[1]);
    [[maybe_unused]] std::uint8_t* const branches =
        at(to.recorded_branch_, column::recorded_branch, unasked.flags[2]);
    [[maybe_unused]] std::uint8_t* const taken =
        at(to.recorded_taken_, column::recorded_taken, unasked.flags[3]);
    [[maybe_unused]] std::uint32_t* const threads = at(to.thread_, column::thread, unasked.threads);
    [[maybe_unused]] std::uint8_t* const known =
        at(to.thread_known_, column::thread_known, unasked.flags[4]);
    const part own = p;
    for (std::size_t k = 0; k != n; ++k) {
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
  }
  // Whether there is an address, without a branch for each slot.
  template <class Addresses> TRACECODEC_INLINE static bool any_of(const Addresses& all) {
    if constexpr (requires { all.slots(); }) {
      std::uint64_t any = 0;
      for (const std::uint64_t address : all.slots()) any |= address;
      return any != 0;
    } else {
      return all.begin() != all.end();
    }
  }
  // The ip and what is known of branches: one loop, as a branch is looked at once. What was not
  // asked for is stored where nobody looks: that is cheaper than a question for each row.
  void add_flow(columns& to, const part& p, std::size_t n) const {
    struct {
      std::uint64_t ips[chunk], targets[chunk];
      branch_class branches[chunk];
      std::uint8_t flags[chunk], taken[chunk];
    } unasked;  // NOLINT: only written
    const auto at = [&](auto& of, column c, auto* instead) {
      return wanted_.has(c) ? of.data() + p.row : instead;
    };
    std::uint64_t* const ips = at(to.ip_, column::ip, unasked.ips);
    branch_class* const branches = at(to.branch_, column::branch, unasked.branches);
    std::uint8_t* const flags = at(to.is_branch_, column::is_branch, unasked.flags);
    std::uint8_t* const taken = at(to.taken_, column::taken, unasked.taken);
    std::uint64_t* const targets = at(to.target_, column::target, unasked.targets);
    const part own = p;
    for (std::size_t k = 0; k != n; ++k) {
      const I i = own[k];
      ips[k] = i.ip();
      branches[k] = i.branch();
      flags[k] = i.is_branch() ? 1 : 0;
      taken[k] = i.taken() ? 1 : 0;
      targets[k] = i.target();
    }
  }
  // What some formats have besides, but for what may be damaged.
  void add_own([[maybe_unused]] columns& to, [[maybe_unused]] const part& p,
               [[maybe_unused]] std::size_t n) const {
    if constexpr (with_event<I> && with_known_thread<I>)
      fill(to.thread_known_, column::thread_known, p, n,
           [](const I& i) { return i.thread().has_value(); });
    if constexpr (with_length<I>)
      fill(to.code_size_, column::size, p, n, [](const I& i) { return clamped(i.length()); });
    if constexpr (with_doubts<I>)
      fill(to.doubts_, column::doubts, p, n, [](const I& i) { return i.doubts(); });
  }

  // Of an event all that is fixed, as add_flow(): what it is about may cost a search.
  template <class Instruction = I> void add_event(columns& to, const part& p, std::size_t n) const {
    if (!wanted_.has_any({column::ip, column::thread, column::operation, column::decor,
                          column::location, column::event_operand}))
      return;
    struct {
      std::uint64_t ips[chunk], decors[chunk], operands[chunk];
      std::uint32_t threads[chunk], locations[chunk];
      std::uint8_t operations[chunk];
    } unasked;  // NOLINT: only written
    const auto at = [&](auto& of, column c, auto* instead) {
      return wanted_.has(c) ? of.data() + p.row : instead;
    };
    std::uint64_t* const ips = at(to.ip_, column::ip, unasked.ips);
    std::uint32_t* const threads = at(to.thread_, column::thread, unasked.threads);
    std::uint8_t* const operations = at(to.operation_, column::operation, unasked.operations);
    std::uint64_t* const decors = at(to.decor_, column::decor, unasked.decors);
    std::uint32_t* const locations = at(to.location_, column::location, unasked.locations);
    std::uint64_t* const operands = at(to.event_operand_, column::event_operand, unasked.operands);
    const part own = p;
    for (std::size_t k = 0; k != n; ++k) {
      const Instruction i = own[k];
      const auto& e = i.event();
      ips[k] = i.ip();
      threads[k] = i.asid();
      operations[k] = static_cast<std::uint8_t>(e.operation);
      decors[k] = e.decor;
      locations[k] = e.location;
      operands[k] = i.event_operand();
    }
  }

  template <class T, class Value> void fill(detail::column_buffer<T>& of, column c, const part& p,
                                            std::size_t n, Value value) const {
    if (!wanted_.has(c)) return;
    T* const to = of.data() + p.row;
    const part own = p;  // which no one else sees, so that it stays in registers
    for (std::size_t k = 0; k != n; ++k) to[k] = static_cast<T>(value(own[k]));
  }

  template <class Lists, class Each>
  void fill_lists(Lists& to, column c, const part& p, std::size_t& n, Each each) {
    if (!wanted_.has(c)) return;
    typename Lists::writer row(to);
    fill_rows(row, c, p, n, each);
  }
  // Makes `n` smaller if a row is refused.
  template <class Row, class Each>
  TRACECODEC_INLINE void fill_rows(Row& row, column c, const part& p, std::size_t& n, Each each) {
    if (!wanted_.has(c)) return;
    const part own = p;
    const std::size_t wanted = n;
    for (std::size_t k = 0; k != wanted;) {
      try {
        for (; k != wanted; ++k) {
          if (row.full()) {
            n = k;
            failure_ = nullptr;  // if any, that of a later row
            return;
          }
          own.prefetch(k);
          row.open_row();
          each(row, own[k]);
          row.close_row(own.row + k);
        }
      } catch (const trace_error&) {
        row.drop_row(own.row + k);
        if (!lenient_.has(c)) {
          n = k;
          failure_ = std::current_exception();
          return;
        }
        row.close_row(own.row + k++);
      }
    }
  }

  static constexpr std::uint32_t clamped(std::size_t n) noexcept {
    constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
    return n < most ? static_cast<std::uint32_t>(n) : most;
  }

  // Where an instruction has slots, of which some are empty, there is no branch for each: which are
  // is hard to foresee.
  template <class Slots> static constexpr std::size_t slot_count =
      std::tuple_size_v<std::remove_cvref_t<decltype(std::declval<const Slots&>().slots())>>;
  template <class Row, class Registers>
  TRACECODEC_INLINE static void add_registers(Row& row, const Registers& all) {
    if constexpr (requires { all.slots(); })
      row.template add_slots<slot_count<Registers>>([&all](auto&& add) {
        for (const auto r : all.slots()) add(r != 0, static_cast<std::uint8_t>(r));
      });
    else
      for (const auto r : all) row.add(static_cast<std::uint8_t>(r));
  }
  template <class Row, class Addresses>
  TRACECODEC_INLINE static void add_addresses(Row& row, const Addresses& all, std::uint64_t size,
                                              std::uint8_t write) {
    if constexpr (requires { all.slots(); }) {
      std::uint64_t any = 0;
      for (const std::uint64_t address : all.slots()) any |= address;
      if (any == 0) return;  // as of most instructions
      row.template add_slots<slot_count<Addresses>>([&](auto&& add) {
        for (const std::uint64_t address : all.slots()) add(address != 0, address, size, write);
      });
    } else {
      for (const std::uint64_t address : all) row.add(address, size, write);
    }
  }
  // For add_slots(), which calls it in two places: out of line it would keep the instruction in memory.
  struct access_slots_of {
    const I& i;
    template <class Add> TRACECODEC_INLINE void operator()(Add&& add) const {
      i.for_each_access_slot(
          [&add](bool there, std::uint64_t address, std::uint64_t size, bool write) {
            add(there, address, size, write ? std::uint8_t{1} : std::uint8_t{0});
          });
    }
  };
  template <class Row> TRACECODEC_INLINE static void add_memory(Row& row, const I& i) {
    constexpr std::uint8_t read = 0, written = 1;
    if constexpr (requires { i.for_each_access_slot([](auto...) {}); }) {
      row.template add_slots<I::access_slots>(access_slots_of{i});
    } else if constexpr (with_sized_accesses<I>) {
      const auto all = i.accesses();
      for (const bool writes : {false, true})
        for (const auto& a : all)
          if (a.write == writes) row.add(a.address, a.size, writes ? written : read);
    } else {
      std::uint64_t size = 0;
      if constexpr (requires { i.access_width(); }) size = i.access_width();
      add_addresses(row, i.source_memory(), size, read);
      add_addresses(row, i.destination_memory(), size, written);
    }
  }

  // What is not to be trusted is an entry of its own.
  template <class Row> static void add_memory_values(Row& row, const I& i) {
    for_each_memory_value(
        i, [&](std::uint64_t address, std::span<const std::byte> bytes, bool after) {
          if constexpr (requires { trusts_all_before(i); })
            if (trusts_all_before(i)) return row.add(address, bytes, after, true);
          if constexpr (with_trust<I>)
            while (!after && bytes.size() > 1) {
              const bool trusted = trusts_before(i, address);
              std::size_t n = 1;
              while (n != bytes.size() && trusts_before(i, address + n) == trusted) ++n;
              row.add(address, bytes.first(n), false, trusted);
              address += n;
              bytes = bytes.subspan(n);
              if (bytes.empty()) return;
            }
          bool trusted = true;
          if constexpr (with_trust<I>) trusted = after || trusts_before(i, address);
          row.add(address, bytes, after, trusted);
        });
  }

  // Of a format that tells all, what is not as in the row before.
  template <class Row> void add_register_values(Row& row, const I& i) {
    // A format's registers are of a type of its own, whose numbers simulators know.
    const auto tell = [&row](auto r, std::size_t offset, std::uint64_t value, std::size_t size,
                             bool after) {
      row.add(static_cast<std::uint8_t>(r), static_cast<std::uint16_t>(offset),
              static_cast<std::uint8_t>(size), value, after ? std::uint8_t{1} : std::uint8_t{0});
    };
    if constexpr (with_all_registers<I>) {
      if (i.registers() == nullptr) return;
      if (last_ != nullptr)
        for_each_register_change(i, *last_, tell);
      else
        for_each_register_value(i, tell);
      last_ = i.registers();
    } else if constexpr (with_register_places<I>) {
      if (!places_) places_.emplace(register_places_of(i));
      for_each_register_value(i, *places_, tell);
    } else {
      for_each_register_value(i, tell);
    }
  }

  column_set wanted_ = {}, lenient_ = {};
  std::exception_ptr failure_ = {};
  std::optional<named_register> register_ = {};
  std::optional<named_mnemonic> mnemonic_ = {};
  std::optional<typename detail::register_places_for<I>::type> places_ = {};
  const register_file* last_ = nullptr;  // of the row before; nullptr: all are told
  std::unique_ptr<register_file> kept_ = {};
};

}  // namespace tracecodec::feed
