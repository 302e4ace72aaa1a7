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
#include "../wire/types/bytes.hpp"
#include "column_traits.hpp"
#include "columns.hpp"
#include "engine/column_loops.hpp"
#include "values.hpp"

namespace tracecodec::feed {

// Filler of columns. Call begin(), then add() for consecutive parts of the feed's batches, then
// end(). Columns are filled one after another, a few hundred rows at a time, so that the
// instructions stay in the cache. Columns that are not requested cost nothing, and which columns to
// fill is not decided again for each row.
template <stream Feed> class column_filler {
  using batch_type = typename Feed::batch_type;
  using I = typename batch_type::value_type;

 public:
  using named_register = typename detail::register_to_select<Feed>::type;
  using named_mnemonic = typename detail::mnemonic_to_match<Feed>::type;

  // Select the register of column `register_value` and the mnemonic of column `mnemonic_matches`.
  // Before the first call, `register_value` is empty and `mnemonic_matches` is 0.
  void select_register(named_register r) { register_.emplace(std::move(r)); }
  void match_mnemonic(named_mnemonic m) { mnemonic_.emplace(std::move(m)); }

  // Starts an empty batch with the columns `wanted`, which must be in common_columns or
  // columns_known(). The first row has number `first`. The batch holds up to `most` rows. If
  // damaged data belong to a column in `lenient`, the row is empty in that column. Damaged data of
  // any other column end the batch.
  void begin(columns& to, column_set wanted, column_set lenient, std::uint64_t first,
             std::size_t most = columns::most_rows) {
    to.begin(wanted, first, most);
    wanted_ = wanted;
    lenient_ = lenient;
    failure_ = nullptr;
    last_ = nullptr;
  }

  // Adds the first `n` instructions of `from`. The batch must have room for `n` rows. Returns the
  // number of added instructions, which is less than `n` if the values of the next instruction do
  // not fit or are damaged. If the values are damaged, failure() returns the error. The batch then
  // ends, and the next batch can begin with the damaged instruction.
  std::size_t add(columns& to, const batch_type& from, std::size_t n) {
    std::size_t done = 0;
    while (done != n) {
      const std::size_t wanted = std::min(n - done, part::most);
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

  // Saves the state that refers to the feed's current batch. Call this function before the feed's
  // next batch replaces the current batch.
  void pass_batch() {
    if constexpr (with_all_registers<I>)
      if (last_ != nullptr && last_ != kept_.get()) {
        if (!kept_) kept_ = std::make_unique<register_file>();
        *kept_ = *last_;
        last_ = kept_.get();
      }
  }

  // Finishes the batch. `ends` is true if the trace, or a pass over it, ends after the batch. For
  // `goes_on`, see columns::goes_on().
  void end(columns& to, bool ends, bool goes_on = false) { to.end(ends, goes_on); }
  // Returns the error that stopped add(), or null if no data were damaged.
  [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }

 private:
  using register_file = typename detail::register_file_of<I>::type;
  using part = detail::column_part<batch_type>;

  std::size_t add_part(columns& to, const part& p, std::size_t n) {
    left_ = detail::column_loops<batch_type>(to, p, n, wanted_).left();
    // The columns below can reject a row whose values do not fit or are damaged. The first rejected
    // row ends the batch.
    fill_lists(to.destination_registers_, column::destination_registers, p, n,
               [](auto& row, const I& i) { add_registers(row, i.destination_registers()); });
    fill_lists(to.source_registers_, column::source_registers, p, n,
               [](auto& row, const I& i) { add_registers(row, i.source_registers()); });
    fill_lists(to.memory_, column::memory, p, n, [](auto& row, const I& i) { add_memory(row, i); });
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
      fill_lists(to.register_value_, column::register_value, p, n, [this](auto& row, const I& i) {
        if (register_)
          for_each_value_of(i, *register_, [&row](std::uint64_t value, bool after) {
            row.add(value, after ? std::uint8_t{1} : std::uint8_t{0});
          });
      });
    if constexpr (with_mnemonics<Feed>) {
      detail::value_writer matches(to.mnemonic_matches_);
      fill_rows(matches, column::mnemonic_matches, p, n, [this](auto& row, const I& i) {
        row.add(mnemonic_ && has_mnemonic(i, *mnemonic_) ? 1 : 0);
      });
    }
    return n;
  }

  template <class Lists, class Each>
  void fill_lists(Lists& to, column c, const part& p, std::size_t& n, Each each) {
    if (!left_.has(c)) return;
    typename Lists::writer row(to);
    fill_rows(row, c, p, n, each);
  }
  // Fills a column row by row. Reduces `n` to the number of rows before the first rejected row.
  template <class Row, class Each>
  TRACECODEC_INLINE void fill_rows(Row& row, column c, const part& p, std::size_t& n, Each each) {
    if (!left_.has(c)) return;
    const part own = p;
    const std::size_t wanted = n;
    for (std::size_t k = 0; k != wanted;) {
      try {
        for (; k != wanted; ++k) {
          if (row.full()) {
            n = k;
            // The failure that is already stored belongs to a later row, so discard it.
            failure_ = nullptr;
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

  template <class Row, class Registers> static void add_registers(Row& row, const Registers& all) {
    for (const auto r : all) row.add(static_cast<std::uint8_t>(r));
  }
  template <class Row> static void add_memory(Row& row, const I& i) {
    for_each_access(i, [&row](std::uint64_t address, std::uint64_t size, bool write) {
      row.add(address, size, static_cast<std::uint8_t>(write));
    });
  }

  // Adds the contents of memory, with separate entries for trusted and untrusted bytes.
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

  // Adds the values of registers. If the format stores all registers, adds only values that differ
  // from the previous row.
  template <class Row> void add_register_values(Row& row, const I& i) {
    // `r` has a type defined by the format, whose values are ChampSim's register numbers.
    const auto add = [&row](auto r, std::size_t offset, std::uint64_t value, std::size_t size,
                            bool after) {
      row.add(static_cast<std::uint8_t>(r), static_cast<std::uint16_t>(offset),
              static_cast<std::uint8_t>(size), value, after ? std::uint8_t{1} : std::uint8_t{0});
    };
    if constexpr (with_all_registers<I>) {
      if (i.registers() == nullptr) return;
      if (last_ != nullptr)
        for_each_register_change(i, *last_, add);
      else
        for_each_register_value(i, add);
      last_ = i.registers();
    } else if constexpr (with_register_places<I>) {
      if (!places_) places_.emplace(register_places_of(i));
      for_each_register_value(i, *places_, add);
    } else {
      for_each_register_value(i, add);
    }
  }

  column_set wanted_ = {}, lenient_ = {};
  column_set left_ = {};  // requested columns that are filled row by row, because a row may not fit
  std::exception_ptr failure_ = {};
  std::optional<named_register> register_ = {};
  std::optional<named_mnemonic> mnemonic_ = {};
  std::optional<typename detail::register_places_for<I>::type> places_ = {};
  // Registers of the previous row. If null, the next row contains all registers.
  const register_file* last_ = nullptr;
  std::unique_ptr<register_file> kept_ = {};
};

}  // namespace tracecodec::feed
