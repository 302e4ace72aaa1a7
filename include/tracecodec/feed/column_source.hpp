// Type-erased source of columns: one type for the feeds of all formats.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../io/error.hpp"
#include "../wire/policy.hpp"
#include "batch_source.hpp"
#include "column_filler.hpp"
#include "column_traits.hpp"
#include "columns.hpp"
#include "stream.hpp"
#include "values.hpp"

namespace tracecodec::feed {

// Source of columns. Code that uses it can process traces of any format, at the cost of a virtual
// call per batch.
//
//   const auto from = feed::make_column_source(std::move(trace), {column::ip, column::taken});
//   for (feed::columns batch; from->next(batch);)
//     for (std::size_t row = 0; row != batch.size(); ++row) ... batch.ip()[row] ...
//
// The columns of common_columns can be requested even if has() does not contain them. Formats
// without branches report no branches, and formats without threads report thread 0.
class column_source : public batch_source {
 public:
  // Returns true if column `register_values` covers all registers before each instruction. In that
  // case the first row of a batch contains all registers, and each later row contains only the
  // registers that differ from the previous row.
  [[nodiscard]] bool has_all_registers() const noexcept { return all_registers_; }

  // Selects the columns of all following batches. Initially, no columns are selected. If damaged
  // data belong to a column in `lenient`, the row is empty in that column, and no error is thrown.
  // Throws trace_error(refused) for a column that is neither in has() nor in common_columns.
  void want(column_set wanted, column_set lenient = {}) {
    require(wanted);
    wanted_ = wanted;
    lenient_ = lenient;
  }
  [[nodiscard]] column_set wanted() const noexcept { return wanted_; }

  // Fills `to` with up to `most` of the next instructions (see columns and keep_batches()). `most`
  // is limited to 4,096. Returns false at the end of the trace.
  //
  // If the feed throws, every call throws the same error until rewind() is called. If a column's
  // data are damaged, throws trace_error until the damaged instruction is skipped or the column is
  // no longer requested. Either error is thrown only after all earlier instructions were returned,
  // and leaves `to` empty.
  bool next(columns& to, std::size_t most = columns::most_rows) {
    most = std::clamp<std::size_t>(most, 1, columns::most_rows);
    try {
      fill(to, most);
    } catch (...) {
      to.clear();
      throw;
    }
    return to.size() != 0;
  }

  // Limits each later batch to instructions from one batch of the feed, even if the feed's batch is
  // short. read_row() can then read more columns of the same rows.
  void keep_batches() noexcept { keeps_ = true; }
  // Fills `to` with the columns `wanted` of one row: row `row` of the batch that next() filled
  // last. `to` must be a different batch. Use this function for columns that are expensive or may
  // be damaged, and are needed only for a few rows. Throws the errors of want(), the trace_error of
  // a damaged instruction, and trace_error(refused) if no kept batch contains the row.
  virtual void read_row(columns& to, std::size_t row, column_set wanted) = 0;

  // Selects the register for column `register_value`, from the next batch on. Ignores case. Returns
  // the register's size in bytes, or 0 if the size is unknown. Returns nullopt if no register has
  // that name.
  virtual std::optional<std::size_t> select_register(std::string_view name) = 0;
  // Returns true if the registers are not those of x86 (x86/registers.hpp). register_name() returns
  // their names, or an empty text for numbers without a register, and for other formats.
  [[nodiscard]] virtual bool has_own_registers() const noexcept = 0;
  [[nodiscard]] virtual std::string register_name(std::uint8_t number) const = 0;
  // Selects the mnemonic or prefix for column `mnemonic_matches`, from the next batch on. Ignores
  // case. Returns false if the format cannot have such a mnemonic.
  virtual bool match_mnemonic(std::string_view name) = 0;
  // Returns the number of the operation `name`, or nullopt if the format has no such operation.
  // Ignores case.
  [[nodiscard]] virtual std::optional<std::uint8_t> operation_named(
      std::string_view name) const = 0;
  // Returns the name of an operation, or an empty string if no operation has that number.
  [[nodiscard]] virtual std::string operation_name(std::uint8_t operation) const = 0;
  // Returns the text of the instruction with number `index` in the trace (column `index`). Returns
  // an empty string if the format's traces store no text. Throws the same trace_error as reading
  // column `text`.
  [[nodiscard]] virtual std::string assembly_at(std::uint64_t index) const = 0;
  // Returns the disassembly of `code` at `ip`, for formats whose traces store no text. For other
  // formats, returns an empty string.
  [[nodiscard]] virtual std::string assembly_of(std::span<const std::byte> code,
                                                std::uint64_t ip) const = 0;
  // Returns the mode of the code in column `code`, or nullopt if it is not x86 code.
  [[nodiscard]] virtual std::optional<wire::target> code_mode() const = 0;

 protected:
  column_source(column_set has, bool all_registers) noexcept
      : batch_source(has), all_registers_(all_registers) {}
  virtual void fill(columns& to, std::size_t most) = 0;
  void require(column_set wanted) const {
    const column_set missing = wanted - (has() | common_columns);
    for (std::size_t n = 0; n != column_count; ++n)
      if (const auto c = static_cast<column>(n); missing.has(c))
        throw trace_error(trace_errc::refused, {.file = std::string(name())},
                          "a trace of this format has no column " + std::string(feed::name(c)));
  }
  [[nodiscard]] column_set lenient() const noexcept { return lenient_; }
  [[nodiscard]] bool keeps_batches() const noexcept { return keeps_; }

 private:
  column_set wanted_ = {}, lenient_ = {};
  bool all_registers_, keeps_ = false;
};

namespace detail {
// These functions are free functions, because members of column_source with the same names would
// hide the formats' functions.
template <stream Feed>
std::optional<std::uint8_t> number_of_operation([[maybe_unused]] const Feed& feed,
                                                [[maybe_unused]] std::string_view name) {
  if constexpr (with_operations<Feed>)
    if (const auto o = operation_named(feed, name)) return static_cast<std::uint8_t>(*o);
  return std::nullopt;
}
template <class I, class Feed>
std::optional<wire::target> mode_of_code([[maybe_unused]] const Feed& feed) {
  if constexpr (requires { code_mode(feed); })
    return code_mode(feed);
  else if constexpr (requires { code_mode(std::type_identity<I>()); })
    return code_mode(std::type_identity<I>());
  return std::nullopt;
}
template <class Operation> std::string name_of_operation(Operation o) {
  if constexpr (requires {
                  { defined(o) } -> std::convertible_to<bool>;
                })
    if (!defined(o)) return {};
  if constexpr (requires { std::string(name(o)); }) return std::string(name(o));
  return {};
}
}  // namespace detail

// Column source over any feed. A batch ends at the end of a pass over the trace. Any other batch
// has as many instructions as fit, unless keep_batches() was called. `Interface` is column_source
// or a class derived from it.
template <stream Feed, std::derived_from<column_source> Interface = column_source>
class feed_columns : public feed_batches<Feed, Interface> {
  using base = feed_batches<Feed, Interface>;

 public:
  using typename base::batch_type, typename base::value_type;

  explicit feed_columns(Feed feed) : feed_columns(columns_known(feed), std::move(feed)) {}

  void read_row(columns& to, std::size_t row, column_set wanted) override {
    this->require(wanted);
    if (row >= last_.size())
      throw trace_error(trace_errc::refused, {.file = std::string(this->name())},
                        "the row is not in a kept batch: call keep_batches() first");
    filler_.begin(to, wanted, {}, last_first_ + row, 1);
    filler_.add(to, last_.drop(row), 1);
    filler_.end(to, false);
    if (filler_.failure()) std::rethrow_exception(filler_.failure());
  }
  // Returns the feed's batch that begins with the rows of the last batch of columns. The batch is
  // empty unless keep_batches() was called.
  [[nodiscard]] const batch_type& last_batch() const noexcept { return last_; }

  std::uint64_t skip(std::uint64_t n) override {
    last_ = {};
    return base::skip(n);
  }
  void rewind() override {
    base::rewind();
    last_ = {};
  }
  std::optional<std::uint64_t> count() override {
    last_ = {};
    return base::count();
  }

  std::optional<std::size_t> select_register([[maybe_unused]] std::string_view name) override {
    if constexpr (with_named_registers<Feed>) {
      const auto found = register_named(this->feed(), name);
      if (!found) return std::nullopt;
      std::size_t size = 0;
      if constexpr (requires { register_size(this->feed(), *found); })
        size = register_size(this->feed(), *found);
      filler_.select_register(*found);
      return size;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool has_own_registers() const noexcept override {
    return with_own_registers<Feed>;
  }
  [[nodiscard]] std::string register_name([[maybe_unused]] std::uint8_t number) const override {
    if constexpr (with_own_registers<Feed>) return name_of_register(this->feed(), number);
    return {};
  }
  bool match_mnemonic([[maybe_unused]] std::string_view name) override {
    if constexpr (with_mnemonics<Feed>) {
      const auto found = mnemonic_named(this->feed(), name);
      if (found) filler_.match_mnemonic(*found);
      return found.has_value();
    }
    return false;
  }
  [[nodiscard]] std::optional<std::uint8_t> operation_named(std::string_view name) const override {
    return detail::number_of_operation(this->feed(), name);
  }
  [[nodiscard]] std::string operation_name([[maybe_unused]] std::uint8_t operation) const override {
    if constexpr (with_event<value_type>) {
      using type =
          std::remove_cvref_t<decltype(std::declval<const value_type&>().event().operation)>;
      return detail::name_of_operation(static_cast<type>(operation));
    }
    return {};
  }
  [[nodiscard]] std::string assembly_at([[maybe_unused]] std::uint64_t index) const override {
    if constexpr (requires { held_assembly(this->feed(), index); })
      return std::string(held_assembly(this->feed(), index));
    return {};
  }
  [[nodiscard]] std::string assembly_of([[maybe_unused]] std::span<const std::byte> code,
                                        [[maybe_unused]] std::uint64_t ip) const override {
    if constexpr (requires { assembly_of_code(this->feed(), code, ip); })
      return std::string(assembly_of_code(this->feed(), code, ip));
    else if constexpr (requires { assembly_of_code(std::type_identity<value_type>(), code, ip); })
      return std::string(assembly_of_code(std::type_identity<value_type>(), code, ip));
    return {};
  }
  [[nodiscard]] std::optional<wire::target> code_mode() const override {
    return detail::mode_of_code<value_type>(this->feed());
  }

 protected:
  // Drops the kept batch. Derived classes call this function if they read the feed by other means.
  void drop_last_batch() noexcept { last_ = {}; }

 private:
  // `has` precedes `feed`, because columns_known() must read the feed before the feed is moved
  // from.
  feed_columns(column_set has, Feed&& feed)
      : base(std::move(feed), has, with_all_registers<value_type>) {}

  void fill(columns& to, std::size_t most) override {
    filler_.begin(to, this->wanted(), this->lenient(), this->position(), most);
    bool ends = false, goes_on = false;
    last_ = {};
    while (to.size() != most && !ends && (this->batch().size() != 0 || pull_for(to))) {
      if (this->keeps_batches()) {
        last_ = this->batch();
        last_first_ = this->position();
      }
      const std::size_t n = std::min(most - to.size(), this->batch().size());
      const std::size_t done = filler_.add(to, this->batch(), n);
      goes_on = follows(this->batch());
      this->take(done);
      if (done != n) break;
      ends = this->batch().size() == 0 && this->batch().last_batch();
    }
    filler_.end(to, ends, goes_on);
    if (to.size() != 0) return;
    if (filler_.failure()) std::rethrow_exception(filler_.failure());
    this->throw_failure();
  }
  static bool follows([[maybe_unused]] const batch_type& b) {
    if constexpr (requires { b.uses_next_ip(); }) return b.uses_next_ip();
    return true;
  }
  // Fetches the feed's next batch. Returns false at the end, or if batches are kept and `to`
  // already has rows of another batch of the feed.
  bool pull_for(const columns& to) {
    if (this->failed() || (this->keeps_batches() && to.size() != 0)) return false;
    if (to.size() != 0) filler_.pass_batch();
    return this->pull();
  }

  column_filler<Feed> filler_ = {};
  // Rest of the feed's batch at the time of the last call to next().
  batch_type last_ = {};
  std::uint64_t last_first_ = 0;
};

// Returns a source of the columns of any feed. If the feed is an adaptor, the source cannot look up
// registers, mnemonics and operations by name.
template <stream Feed>
std::unique_ptr<column_source> make_column_source(Feed feed, column_set wanted = {}) {
  auto source = std::make_unique<feed_columns<Feed>>(std::move(feed));
  source->want(wanted);
  return source;
}

}  // namespace tracecodec::feed
