// Any feed as a source of columns, of one type whatever the format is.
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
#include "batch_source.hpp"
#include "column_filler.hpp"
#include "column_traits.hpp"
#include "columns.hpp"
#include "stream.hpp"
#include "values.hpp"

namespace tracecodec::feed {

// What works on columns takes one, and needs to know no format. It costs a virtual call for a
// batch.
//
//   const auto from = feed::make_column_source(std::move(trace), {column::ip, column::taken});
//   for (feed::columns batch; from->next(batch);)
//     for (std::size_t row = 0; row != batch.size(); ++row) ... batch.ip()[row] ...
//
// More columns than has() says may be asked for (common_columns): without branches no row is one, without
// threads all rows have the thread 0.
class column_source : public batch_source {
 public:
  // Whether `register_values` tells all registers before each instruction: then the first row of a
  // batch has all of them, and each row behind it those that are not as in the row before.
  [[nodiscard]] bool tells_all_registers() const noexcept { return all_registers_; }

  // The columns that batches have from the next one on; none at first. An instruction of which one
  // of the columns `lenient` cannot be told, as it is damaged, has nothing there, and is no error.
  // Throws trace_error(refused) for a column that neither has() nor common_columns has.
  void want(column_set wanted, column_set lenient = {}) {
    require(wanted);
    wanted_ = wanted;
    lenient_ = lenient;
  }
  [[nodiscard]] column_set wanted() const noexcept { return wanted_; }

  // Fills `to` with the next `most` instructions, 4,096 at most, or fewer (see columns, and
  // keep_batches()); false at the end, where none are left. Throws as the feed, again at each call
  // until rewind(); and trace_error as what a column tells of an instruction, again until that is
  // skipped or the column not wanted. Either way all before it were delivered, and `to` is empty.
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

  // From the next batch on each lies within one of the feed's, however short that is, so that
  // tell() can go back to its rows.
  void keep_batches() noexcept { keeps_ = true; }
  // Fills `to`, which is another one, with one row: the columns `wanted` of row `row` of the batch
  // that next() filled last. For what costs much, or may be damaged, and is wanted of few. Throws
  // as want(), and trace_error: what the instruction throws; refused if no batch is kept that has
  // the row.
  virtual void tell(columns& to, std::size_t row, column_set wanted) = 0;

  // From the next batch on the column `watched` is about the register with this name, in any case
  // of letters. Returns its size in bytes, 0 if that is not known; nullopt if there is no such
  // register.
  virtual std::optional<std::size_t> watch_register(std::string_view name) = 0;
  // The same of the column `called`, and a mnemonic or a prefix; false if there can be none of the
  // name.
  virtual bool watch_mnemonic(std::string_view name) = 0;
  // The number of an operation, in any case of letters; nullopt if the format has none of the name.
  [[nodiscard]] virtual std::optional<std::uint8_t> operation_named(
      std::string_view name) const = 0;
  // The name of an operation; empty if the number means nothing.
  [[nodiscard]] virtual std::string operation_name(std::uint8_t operation) const = 0;
  // The text of the instruction with this number in the trace (column `index`), of formats whose
  // traces hold it; else empty. Throws trace_error as the column `text`.
  [[nodiscard]] virtual std::string assembly_at(std::uint64_t index) const = 0;
  // What code reads as at `ip`, of formats whose traces hold no text; else empty.
  [[nodiscard]] virtual std::string assembly_of(std::span<const std::byte> code,
                                                std::uint64_t ip) const = 0;

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
// Beside the class, whose functions of these names hide the formats'.
template <stream Feed>
std::optional<std::uint8_t> number_of_operation([[maybe_unused]] const Feed& feed,
                                                [[maybe_unused]] std::string_view name) {
  if constexpr (with_operations<Feed>)
    if (const auto o = operation_named(feed, name)) return static_cast<std::uint8_t>(*o);
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

// Of any feed. Batches end where a pass over the trace ends, and else, unless they are kept, have
// as many instructions as there is room for.
// `Interface` is column_source, or derived from it.
template <stream Feed, std::derived_from<column_source> Interface = column_source>
class feed_columns : public feed_batches<Feed, Interface> {
  using base = feed_batches<Feed, Interface>;

 public:
  using typename base::batch_type, typename base::value_type;

  explicit feed_columns(Feed feed) : feed_columns(columns_known(feed), std::move(feed)) {}

  void tell(columns& to, std::size_t row, column_set wanted) override {
    this->require(wanted);
    if (row >= last_.size())
      throw trace_error(trace_errc::refused, {.file = std::string(this->name())},
                        "no batch is kept that has the row");
    filler_.begin(to, wanted, {}, last_first_ + row, 1);
    filler_.add(to, last_.drop(row), 1);
    filler_.end(to, false);
    if (filler_.failure()) std::rethrow_exception(filler_.failure());
  }
  // Whose first instructions the rows of the last batch are, if batches are kept.
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

  std::optional<std::size_t> watch_register([[maybe_unused]] std::string_view name) override {
    if constexpr (with_named_registers<Feed>) {
      const auto found = register_named(this->feed(), name);
      if (!found) return std::nullopt;
      std::size_t size = 0;
      if constexpr (requires { register_size(this->feed(), *found); })
        size = register_size(this->feed(), *found);
      filler_.watch_register(*found);
      return size;
    }
    return std::nullopt;
  }
  bool watch_mnemonic([[maybe_unused]] std::string_view name) override {
    if constexpr (with_mnemonics<Feed>) {
      const auto found = mnemonic_named(this->feed(), name);
      if (found) filler_.watch_mnemonic(*found);
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

 protected:
  // What reads on in another way calls it.
  void drop_last_batch() noexcept { last_ = {}; }

 private:
  // `has` comes first: what is moved from is no longer asked.
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
      ends = this->batch().size() == 0 && this->batch().ends();
    }
    filler_.end(to, ends, goes_on);
    if (to.size() != 0) return;
    if (filler_.failure()) std::rethrow_exception(filler_.failure());
    this->throw_failure();
  }
  static bool follows([[maybe_unused]] const batch_type& b) {
    if constexpr (requires { b.can_be_followed(); }) return b.can_be_followed();
    return true;
  }
  // The feed's next batch; false if there is none, or it would end the one that is filled.
  bool pull_for(const columns& to) {
    if (this->failed() || (this->keeps_batches() && to.size() != 0)) return false;
    if (to.size() != 0) filler_.pass_batch();
    return this->pull();
  }

  column_filler<Feed> filler_ = {};
  batch_type last_ = {};  // what was left of the feed's before next()
  std::uint64_t last_first_ = 0;
};

// The columns of a feed of any format, which may stand behind adaptors: then it knows of registers,
// mnemonics and operations by name no more.
template <stream Feed>
std::unique_ptr<column_source> make_column_source(Feed feed, column_set wanted = {}) {
  auto source = std::make_unique<feed_columns<Feed>>(std::move(feed));
  source->want(wanted);
  return source;
}

}  // namespace tracecodec::feed
