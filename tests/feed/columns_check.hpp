// Compares the columns of a feed with its instructions.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tracecodec/feed/column_row.hpp"
#include "tracecodec/feed/column_source.hpp"

namespace test {

namespace feed = tracecodec::feed;
using feed::column;
using feed::column_set;

inline constexpr column_set all_columns = [] {
  column_set all;
  for (std::size_t n = 0; n != feed::column_count; ++n) all |= {static_cast<column>(n)};
  return all;
}();

struct memory_entry {
  std::uint64_t address = 0;
  std::vector<std::byte> bytes = {};
  bool after = false;
  friend bool operator==(const memory_entry&, const memory_entry&) = default;
};
// Bytes of registers before and after an instruction.
struct register_bytes {
  static constexpr std::size_t count = 2 * 256 * 64;
  std::vector<unsigned char> value = std::vector<unsigned char>(count);
  std::vector<unsigned char> known = std::vector<unsigned char>(count);
  void clear() {
    std::fill(value.begin(), value.end(), static_cast<unsigned char>(0));
    std::fill(known.begin(), known.end(), static_cast<unsigned char>(0));
  }
  void keep(unsigned number, std::size_t offset, std::uint64_t all, std::size_t size, bool after) {
    for (std::size_t n = 0; n != size; ++n) {
      const std::size_t place = (number * 2 + after) * 64 + offset + n;
      value.at(place) = static_cast<unsigned char>(all >> 8 * n & 0xFF);
      known.at(place) = 1;
    }
  }
  friend bool operator==(const register_bytes&, const register_bytes&) = default;
};

template <class List> std::vector<std::uint64_t> numbers_of(const List& list) {
  std::vector<std::uint64_t> all;
  for (const auto v : list) all.push_back(v);
  return all;
}
inline std::vector<std::uint64_t> addresses_of(const feed::memory_column& m, std::size_t row,
                                               bool write) {
  std::vector<std::uint64_t> all;
  for (std::size_t k = m.begin(row); k != m.end(row); ++k)
    if ((m.write[k] != 0) == write && m.address[k] != 0) all.push_back(m.address[k]);
  return all;
}

// Acts like REQUIRE, but is fast enough for millions of calls.
inline void must(bool holds) {
  if (!holds) REQUIRE(holds);
}

// Checks that each column of a format has the values of its instructions. Fails at the first
// row that differs.
template <class Feed> class column_check {
  using I = typename Feed::batch_type::value_type;

 public:
  column_check(const feed::columns& batch, std::size_t row, const I& i, std::uint64_t number,
               register_bytes& registers)
      : b_(batch), row_(row), i_(i) {
    common(number);
    own();
    if constexpr (feed::with_memory_values<I>)
      if (requested(column::memory_values)) memory_values();
    if constexpr (feed::with_each_register<I>)
      if (requested(column::register_values)) register_values(registers);
  }

  // Names of the selected register and mnemonic.
  static inline std::string watched = {}, called = {};
  // Feed that looks up the names.
  static inline Feed* names = nullptr;

 private:
  [[nodiscard]] bool requested(column c) const { return b_.requested().has(c); }
  template <class Values, class Expected>
  void same(column c, const Values& values, const Expected& expected) const {
    if (!requested(c)) {
      must(values.empty());
      return;
    }
    must(values.size() == b_.size());
    must(values[row_] == expected);
  }
  void common(std::uint64_t number) const {
    same(column::ip, b_.ip(), i_.ip());
    same(column::branch, b_.branch(), i_.branch());
    same(column::is_branch, b_.is_branch(), std::uint8_t{i_.is_branch()});
    same(column::taken, b_.taken(), std::uint8_t{i_.taken()});
    same(column::target, b_.target(), i_.target());
    same(column::thread, b_.thread(), i_.asid());
    same(column::reads, b_.reads(), std::uint8_t{!numbers_of(i_.source_memory()).empty()});
    same(column::writes, b_.writes(), std::uint8_t{!numbers_of(i_.destination_memory()).empty()});
    same(column::dropped_operands, b_.dropped_operands(), feed::dropped_operands(i_));
    if constexpr (requires { i_.index(); })
      same(column::index, b_.index(), i_.index());
    else
      same(column::index, b_.index(), number);
    must(b_.first() + row_ == number);
    const auto written = b_.destination_registers(), read = b_.source_registers();
    must(written.offsets.empty() != requested(column::destination_registers));
    if (!written.offsets.empty())
      must(numbers_of(written[row_]) == numbers_of(i_.destination_registers()));
    must(read.offsets.empty() != requested(column::source_registers));
    if (!read.offsets.empty()) must(numbers_of(read[row_]) == numbers_of(i_.source_registers()));
    const auto memory = b_.memory();
    must(memory.offsets.empty() != requested(column::memory));
    if (!memory.offsets.empty()) operands(memory);
  }
  void operands(const feed::memory_column& m) const {
    must(addresses_of(m, row_, false) == numbers_of(i_.source_memory()));
    must(addresses_of(m, row_, true) == numbers_of(i_.destination_memory()));
    const feed::row_columns rows(b_);
    const feed::column_row view(rows, row_);
    if (requested(column::ip)) must(view.ip() == i_.ip());
    must(std::ranges::equal(numbers_of(view.source_memory()), numbers_of(i_.source_memory())));
    must(std::ranges::equal(numbers_of(view.destination_memory()),
                            numbers_of(i_.destination_memory())));
    std::size_t k = m.begin(row_);
    if constexpr (requires { i_.accesses(); }) {
      for (const auto& a : i_.accesses()) {
        must(m.address[k] == a.address);
        must(m.size[k] == a.size);
        must((m.write[k++] != 0) == a.write);
      }
      must(k == m.end(row_));
    } else {
      std::uint64_t size = 0;
      if constexpr (requires { i_.access_width(); }) size = i_.access_width();
      for (; k != m.end(row_); ++k) must(m.size[k] == size);
    }
  }
  void own() const {
    if constexpr (requires { i_.length(); }) same(column::size, b_.code_size(), i_.length());
    if constexpr (requires { i_.thread().has_value(); })
      same(column::thread_known, b_.thread_known(), std::uint8_t{i_.thread().has_value()});
    if constexpr (requires { i_.record().is_branch; }) {
      same(column::recorded_branch, b_.recorded_branch(),
           static_cast<std::uint8_t>(i_.record().is_branch != 0));
      same(column::recorded_taken, b_.recorded_taken(),
           static_cast<std::uint8_t>(i_.record().branch_taken != 0));
    }
    if constexpr (requires { i_.outcome(); }) {
      const std::uint8_t address = i_.record().complete ? 0 : 1;
      const std::uint8_t code = i_.record().decoded ? 0 : 2;
      const bool estimated = i_.outcome() == std::remove_cvref_t<decltype(i_.outcome())>::estimated;
      same(column::uncertainty, b_.uncertainty(),
           static_cast<std::uint8_t>(address | code | (estimated ? 4 : 0)));
    }
    if constexpr (feed::with_system_events<I>) {
      same(column::time, b_.time(), i_.time());
      same(column::cpu, b_.cpu(), i_.cpu());
      same(column::system_events, b_.system_events(), i_.system_events());
    }
    if constexpr (requires { i_.event(); }) {
      same(column::operation, b_.operation(), static_cast<std::uint8_t>(i_.event().operation));
      same(column::decor, b_.decor(), i_.event().decor);
      same(column::location, b_.location(), i_.event().location);
      same(column::event_operand, b_.event_operand(), i_.event_operand());
    }
    if constexpr (feed::with_code<I>)
      if (requested(column::code)) must(std::ranges::equal(b_.code()[row_], i_.code()));
    if constexpr (feed::with_held_text<I>)
      if (requested(column::text)) {
        const auto text = b_.text()[row_];
        must(assembly(i_) ==
             std::string_view(reinterpret_cast<const char*>(text.data()), text.size()));
      }
    if constexpr (feed::with_mnemonics<Feed>)
      if (!called.empty())
        same(column::mnemonic_matches, b_.mnemonic_matches(),
             std::uint8_t{has_mnemonic(i_, *mnemonic_named(*names, called))});
    if constexpr (feed::with_named_registers<Feed>)
      if (requested(column::register_value) && !watched.empty()) {
        std::vector<std::uint64_t> values;
        for_each_value_of(i_, *register_named(*names, watched),
                          [&](std::uint64_t v, bool after) { values.push_back(2 * v + after); });
        const auto w = b_.register_value();
        must(w.count(row_) == values.size());
        for (std::size_t k = 0; k != values.size(); ++k)
          must(2 * w.value[w.begin(row_) + k] + w.after[w.begin(row_) + k] == values[k]);
      }
  }
  void memory_values() const {
    std::vector<memory_entry> expected, found;
    for_each_memory_value(i_, [&](std::uint64_t at, std::span<const std::byte> all, bool after) {
      expected.push_back({at, {all.begin(), all.end()}, after});
    });
    const auto m = b_.memory_values();
    bool joined = false;
    for (std::size_t k = m.begin(row_); k != m.end(row_); ++k) {
      const auto content = m.bytes[k];
      bool trusted = true;
      if constexpr (feed::with_trust<I>)
        for (std::size_t n = 0; n != content.size(); ++n) {
          trusted = m.after[k] != 0 || trusts_before(i_, m.address[k] + n);
          must(trusted == (m.trusted[k] != 0));
        }
      must(trusted == (m.trusted[k] != 0));
      // Join the pieces of a value that is only partly trusted.
      joined = !found.empty() && found.back().after == (m.after[k] != 0) &&
               found.size() <= expected.size() && found.back() != expected[found.size() - 1];
      if (joined)
        found.back().bytes.insert(found.back().bytes.end(), content.begin(), content.end());
      else
        found.push_back({m.address[k], {content.begin(), content.end()}, m.after[k] != 0});
    }
    must(found == expected);
  }
  void register_values(register_bytes& known) const {
    if (!feed::with_all_registers<I> || row_ == 0) known.clear();
    const auto r = b_.register_values();
    for (std::size_t k = r.begin(row_); k != r.end(row_); ++k)
      known.keep(r.number[k], r.offset[k], r.value[k], r.size[k], r.after[k] != 0);
    register_bytes expected;
    for_each_register_value(
        i_, [&](auto which, std::size_t offset, std::uint64_t value, std::size_t size, bool after) {
          expected.keep(static_cast<unsigned>(which), offset, value, size, after);
        });
    must(known == expected);
  }

  const feed::columns& b_;
  std::size_t row_;
  const I& i_;
};

// Reads the columns `wanted` in batches of `most` rows, and compares them with about `limit`
// instructions. Returns the number of instructions.
template <class Open> std::uint64_t check_columns(Open open, column_set wanted, std::size_t most,
                                                  std::uint64_t limit = ~std::uint64_t{0}) {
  using feed_type = decltype(open());
  using check = column_check<feed_type>;
  feed_type views = open();
  check::names = &views;
  const auto from = feed::make_column_source(open());
  from->want(wanted & (from->has() | feed::common_columns));
  if (!check::watched.empty()) CHECK(from->select_register(check::watched));
  if (!check::called.empty()) CHECK(from->match_mnemonic(check::called));
  typename feed_type::batch_type shown = views.next();
  std::size_t at = 0;
  std::uint64_t n = 0;
  register_bytes registers;
  for (feed::columns batch; n < limit && from->next(batch, most);) {
    CHECK(batch.size() <= most);
    CHECK(batch.left_out() == 0);
    for (std::size_t row = 0; row != batch.size(); ++row, ++n, ++at) {
      if (at == shown.size()) {
        shown = views.next();
        at = 0;
      }
      const auto i = shown[at];
      check(batch, row, i, n, registers);
    }
    CHECK(from->position() == n);
  }
  if (n < limit) CHECK((at == shown.size() && views.next().size() == 0));
  return n;
}
// Checks all columns together, in batches of several sizes, and each column separately.
template <class Open>
void check_format(Open open, const std::string& watched = {}, const std::string& called = {}) {
  using check = column_check<decltype(open())>;
  check::watched = watched;
  check::called = called;
  auto trace = open();
  const auto n = trace.count();
  const column_set quick =
      all_columns - column_set{column::register_values};  // comparing register values takes long
  CHECK(check_columns(open, quick, feed::columns::most_rows) == n);
  check_columns(open, all_columns, 1500, 3000);
  check_columns(open, all_columns, 7, 1000);
  for (std::size_t c = 0; c != feed::column_count; ++c)
    check_columns([&] { return open(); }, {static_cast<column>(c)}, 700, 1500);
  check::watched = check::called = {};
}

}  // namespace test
