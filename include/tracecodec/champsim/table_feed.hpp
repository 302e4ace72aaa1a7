// Feed of records that a table describes at run time (file/record_table.hpp). Columns with the
// names of ChampSim's members form an instruction. The columns can have any order, position, width
// and number of elements.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "../feed/column.hpp"
#include "../feed/stream.hpp"
#include "../file/table_reader.hpp"
#include "../io/error.hpp"
#include "../io/open.hpp"
#include "feed.hpp"
#include "layout.hpp"
#include "register_numbers.hpp"
#include "register_watch.hpp"
#include "require_records.hpp"

namespace tracecodec::champsim {

// Returns true if the table has the column `asid`. ChampSim's records lack this field, so the
// records can only be converted to CloudSuite's records.
inline bool needs_cloudsuite(const file::record_table& t) { return t.find("asid") != nullptr; }

// Columns of a table that form an instruction. A missing column is nullptr.
struct table_columns {
  const file::record_column *ip, *is_branch, *branch_taken, *destination_registers,
      *source_registers, *destination_memory, *source_memory, *asid;
};

// Finds the columns of an instruction. Includes `asid` only if `threads` is true. Throws
// trace_error(refused) if the table has no ip, or if one of the columns is a floating-point column,
// which cannot be an address, register or flag. `name` is the name of the trace.
inline table_columns instruction_columns(const file::record_table& t, const std::string& name,
                                         bool threads) {
  const auto column = [&](std::string_view field) {
    const auto* const c = t.find(field);
    if (c != nullptr && c->kind == file::column_kind::real)
      throw trace_error(trace_errc::refused, {.file = name, .field = c->name},
                        "instructions have no floating-point fields: rename the field");
    return c;
  };
  if (t.find("ip") == nullptr)
    throw trace_error(trace_errc::refused, {.file = name, .field = "ip"},
                      "the described record lacks this field, which every instruction needs");
  return {column("ip"),
          column("is_branch"),
          column("branch_taken"),
          column("destination_registers"),
          column("source_registers"),
          column("destination_memory"),
          column("source_memory"),
          threads ? column("asid") : nullptr};
}

// Range of a column's nonzero elements that fit in a `T`, in order. The range is empty if the table
// does not have the column.
template <class T> class column_elements {
 public:
  column_elements(const file::record_column* c, const std::byte* record) noexcept
      : column_(c), record_(record) {}

  class iterator {
   public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    iterator() = default;
    iterator(const column_elements& of, std::size_t i) noexcept : of_(of), i_(i) { to_operand(); }
    T operator*() const noexcept { return static_cast<T>(value_); }
    iterator& operator++() noexcept {
      ++i_;
      to_operand();
      return *this;
    }
    iterator operator++(int) noexcept {
      const iterator old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.i_ == b.i_; }

   private:
    void to_operand() noexcept {
      for (; i_ < of_.count(); ++i_) {
        value_ = of_.at(i_);
        if (value_ != 0 && fits(value_)) return;
      }
    }
    column_elements of_{nullptr, nullptr};
    std::size_t i_ = 0;
    std::uint64_t value_ = 0;
  };
  [[nodiscard]] iterator begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] iterator end() const noexcept { return {*this, count()}; }
  [[nodiscard]] bool empty() const noexcept { return begin() == end(); }
  [[nodiscard]] std::size_t size() const noexcept {
    std::size_t n = 0;
    for (iterator i = begin(); i != end(); ++i) ++n;
    return n;
  }

  // Returns the total number of elements, including those that iteration skips. at() counts them in
  // the same way.
  [[nodiscard]] std::size_t count() const noexcept {
    return column_ != nullptr ? column_->count : 0;
  }
  [[nodiscard]] std::uint64_t at(std::size_t i) const noexcept {
    const std::uint64_t v = column_->load(record_, i);
    // Registers and addresses are unsigned, even if the table declares a signed type.
    if (sizeof(T) == 8 || column_->kind != file::column_kind::integer) return v;
    return v & (~std::uint64_t{0} >> (64 - 8 * column_->width));
  }
  static bool fits(std::uint64_t v) noexcept { return v <= std::numeric_limits<T>::max(); }
  // Returns the number of elements that are too large for `T`.
  [[nodiscard]] std::uint64_t too_large() const noexcept {
    std::uint64_t n = 0;
    if constexpr (sizeof(T) < 8)
      if (column_ != nullptr && column_->width > sizeof(T))
        for (std::size_t i = 0; i != count(); ++i) n += !fits(at(i));
    return n;
  }

 private:
  const file::record_column* column_;
  const std::byte* record_;
};

// Returns the low 32 bits of a column, or 0 if the table does not have the column. The elements of
// an array are combined, with the first element in the lowest bits.
inline std::uint32_t address_space(const file::record_column* c, const std::byte* record) noexcept {
  const column_elements<std::uint32_t> all(c, record);
  std::uint64_t v = 0;
  for (std::size_t i = 0, bits = 0; i != all.count() && bits < 32; ++i) {
    v |= all.at(i) << bits;
    bits += 8 * c->width;
  }
  return static_cast<std::uint32_t>(v);
}

// View of a record as an instruction (feed::instruction). The record is not copied. The view
// returns all operands of the record, regardless of their number. Registers with numbers above 255
// do not fit in an instruction, and are counted by dropped_operands().
class table_instruction {
 public:
  // Values as stored in the record, regardless of the derived class. Flags above 255 become 255.
  struct fields {
    std::uint64_t ip;
    std::uint8_t is_branch, branch_taken;
  };

  // Creates a view of `record`. `following` is the next record, or nullptr if no record follows.
  table_instruction(const table_columns& columns, const std::byte* record,
                    const std::byte* following, branch_rules rules) noexcept
      : columns_(&columns), record_(record), class_(branch(rules)) {
    if (class_ == branch_class::not_branch) return;
    const bool as_recorded = class_ == branch_class::conditional || class_ == branch_class::other;
    taken_ = !as_recorded || flag(columns.branch_taken) != 0;
    if (taken_ && following != nullptr) target_ = columns.ip->load(following);
  }
  // Creates a view of `record`. Used if only the ip of the next record is known.
  table_instruction(const table_columns& columns, const std::byte* record,
                    std::uint64_t following_ip, branch_rules rules) noexcept
      : table_instruction(columns, record, nullptr, rules) {
    if (taken_) target_ = following_ip;
  }

  // Returns the bytes of the record.
  [[nodiscard]] const std::byte* bytes() const noexcept { return record_; }
  [[nodiscard]] std::uint64_t ip() const noexcept { return columns_->ip->load(record_); }
  [[nodiscard]] branch_class branch() const noexcept { return class_; }
  // Returns the class according to `rules`.
  [[nodiscard]] branch_class branch(branch_rules rules) const noexcept {
    std::uint64_t writes = 0, reads = 0;
    const auto written = destination_registers(), read = source_registers();
    for (std::size_t i = 0; i != written.count(); ++i) writes |= detail::bit_of(written.at(i));
    if ((writes & detail::bit_of(instruction_pointer)) == 0) return branch_class::not_branch;
    for (std::size_t i = 0; i != read.count(); ++i) reads |= detail::bit_of(read.at(i));
    // Clear bit 0, which stands for unused slots.
    reads &= ~detail::bit_of(0);
    const bool writes_sp = (writes & detail::bit_of(stack_pointer)) != 0;
    return rules == branch_rules::current
               ? detail::class_of_branch<branch_rules::current>(reads, writes_sp)
               : detail::class_of_branch<branch_rules::of_2022>(reads, writes_sp);
  }
  [[nodiscard]] bool is_branch() const noexcept {
    return class_ != branch_class::not_branch || flag(columns_->is_branch) != 0;
  }
  [[nodiscard]] bool taken() const noexcept { return taken_; }
  [[nodiscard]] std::uint64_t target() const noexcept { return target_; }
  [[nodiscard]] std::uint32_t asid() const noexcept {
    return address_space(columns_->asid, record_);
  }
  [[nodiscard]] column_elements<std::uint8_t> destination_registers() const noexcept {
    return {columns_->destination_registers, record_};
  }
  [[nodiscard]] column_elements<std::uint8_t> source_registers() const noexcept {
    return {columns_->source_registers, record_};
  }
  [[nodiscard]] column_elements<std::uint64_t> destination_memory() const noexcept {
    return {columns_->destination_memory, record_};
  }
  [[nodiscard]] column_elements<std::uint64_t> source_memory() const noexcept {
    return {columns_->source_memory, record_};
  }
  [[nodiscard]] std::uint64_t dropped_operands() const noexcept {
    return destination_registers().too_large() + source_registers().too_large();
  }
  [[nodiscard]] fields record() const noexcept {
    return {ip(), flag(columns_->is_branch), flag(columns_->branch_taken)};
  }

  // Converts this record to a ChampSim record, and stores it in `to`. Returns the number of
  // operands that do not fit. If an array is longer than the array in `to`, only its nonzero
  // elements are copied. If an array fits, its empty slots are copied, too.
  template <trace_record Record> std::uint64_t as_record(Record& to) const noexcept {
    to = {};
    to.ip = ip();
    to.is_branch = flag(columns_->is_branch);
    to.branch_taken = flag(columns_->branch_taken);
    if constexpr (requires { to.asid[1]; }) {
      const std::uint32_t a = asid();
      to.asid[0] = static_cast<std::uint8_t>(a);
      to.asid[1] = static_cast<std::uint8_t>(a >> 8);
    }
    return place(to.destination_registers, destination_registers()) +
           place(to.source_registers, source_registers()) +
           place(to.destination_memory, destination_memory()) +
           place(to.source_memory, source_memory());
  }

 private:
  [[nodiscard]] std::uint8_t flag(const file::record_column* c) const noexcept {
    if (c == nullptr) return 0;
    const std::uint64_t v = c->load(record_);
    return v < 0xFF ? static_cast<std::uint8_t>(v) : std::uint8_t{0xFF};
  }
  template <class T, std::size_t N>
  static std::uint64_t place(std::array<T, N>& to, const column_elements<T>& from) noexcept {
    const bool keeps_places = from.count() <= N;
    std::size_t at = 0;
    std::uint64_t lost = 0;
    for (std::size_t i = 0; i != from.count(); ++i) {
      const std::uint64_t v = from.at(i);
      if (v == 0 && !keeps_places) continue;
      if (at == N || !column_elements<T>::fits(v))
        ++lost;
      else
        to[at++] = static_cast<T>(v);
    }
    return lost;
  }

  const table_columns* columns_;
  const std::byte* record_;
  std::uint64_t target_ = 0;
  branch_class class_;
  bool taken_ = false;
};

// Batch of consecutive records as instructions (feed::batch).
class table_batch {
 public:
  using value_type = table_instruction;
  table_batch() = default;
  // Creates a batch of `n` records of `size` bytes each. `following` is the record after the batch,
  // or nullptr if no record follows.
  table_batch(const table_columns& columns, const std::byte* records, std::size_t size,
              std::size_t n, const std::byte* following, branch_rules rules) noexcept
      : columns_(&columns),
        records_(records),
        record_size_(size),
        size_(n),
        following_ip_(following != nullptr ? columns.ip->load(following) : 0),
        rules_(rules),
        ends_(following == nullptr) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] value_type operator[](std::size_t i) const noexcept {
    const std::byte* const r = records_ + i * record_size_;
    if (i + 1 == size_) return {*columns_, r, following_ip_, rules_};
    return {*columns_, r, r + record_size_, rules_};
  }
  [[nodiscard]] table_batch first(std::size_t n) const noexcept {
    if (n >= size_) return *this;
    table_batch b = *this;
    b.size_ = n;
    b.following_ip_ = columns_->ip->load(records_ + n * record_size_);
    b.ends_ = false;
    return b;
  }
  [[nodiscard]] table_batch drop(std::size_t n) const noexcept {
    table_batch b = *this;
    b.records_ += n * record_size_;
    b.size_ -= n;
    return b;
  }
  [[nodiscard]] bool last_batch() const noexcept { return ends_; }
  void mark_last() noexcept { ends_ = true; }
  void set_next_ip(std::uint64_t ip) noexcept { following_ip_ = ip; }

 private:
  const table_columns* columns_ = nullptr;
  const std::byte* records_ = nullptr;
  std::size_t record_size_ = 0, size_ = 0;
  std::uint64_t following_ip_ = 0;
  branch_rules rules_ = branch_rules::current;
  bool ends_ = true;
};

struct table_feed_options {
  branch_rules rules = branch_rules::current;
  bool threads = true;  // true to use a column `asid` as the thread
  std::function<void(const std::string&)> warn = {}, note = {};  // see watch_options
  bool trust = false;                                            // see reader_options
};

namespace detail {
// Returns `in`. Throws trace_error(not_a_trace) if the file is known not to contain records with
// the table `table`. If the table has a header, the file is not checked here, because the header
// defines how the file begins.
inline io::input require_described_records(io::input in, const file::record_table& table,
                                           bool trust) {
  if (trust || table.header().size != 0) return in;
  const auto head = in.peek(io::input::peek_limit);
  const auto* const ip = table.find("ip");
  flow ips;
  const std::size_t n = ip == nullptr ? 0 : std::min(head.size() / table.size(), judged_records);
  for (std::size_t i = 1; i < n; ++i)
    ips.add(ip->load(head.data() + (i - 1) * table.size()), false,
            ip->load(head.data() + i * table.size()));
  const bool lead_on = n > 1 && ips.by_instructions() && ips.leads_on(n - 1);
  if (const file::known_file other = known_other(head, table.size(), lead_on)) refuse(in, other);
  return in;
}
}  // namespace detail

// Feed of the records in a file, as described by a table (feed::stream). The feed is also a range.
// The constructors throw the errors of instruction_columns() and io::open_input(). They also throw
// not_a_trace for a file with the magic number of another format, unless the table has a header or
// table_feed_options::trust is set. next() throws the errors of file::table_reader.
class table_feed : public feed::iterable<table_feed> {
 public:
  using batch_type = table_batch;

  table_feed(io::input in, std::shared_ptr<const file::record_table> table,
             const table_feed_options& options = {})
      : columns_(std::make_shared<const table_columns>(
            instruction_columns(*table, in.name(), options.threads))),
        from_(detail::require_described_records(std::move(in), *table, options.trust), table),
        rules_(options.rules),
        threads_(options.threads),
        registers_(options.warn, options.note, from_.name(), has_byte_registers(from_.table())) {}
  // Opens the file `path`. The path "-" stands for standard input.
  table_feed(const std::string& path, std::shared_ptr<const file::record_table> table,
             const table_feed_options& options = {})
      : table_feed(io::open_input(path), std::move(table), options) {}

  batch_type next() {
    const auto bytes = from_.next(batch_size);
    const std::size_t size = from_.table().size();
    const table_batch b(*columns_, bytes.data(), size, bytes.size() / size, from_.following(),
                        rules_);
    if (registers_.watches()) registers_.add_batch(b);
    return b;
  }
  std::uint64_t skip(std::uint64_t n) { return from_.skip(n); }
  void rewind() { from_.rewind(); }
  std::optional<std::uint64_t> count() { return from_.count(); }
  [[nodiscard]] std::optional<double> progress() const { return from_.progress(); }
  [[nodiscard]] const std::string& name() const { return from_.name(); }
  [[nodiscard]] const file::record_table& table() const noexcept { return from_.table(); }
  // Returns the columns that this trace lacks.
  [[nodiscard]] feed::column_set lacks() const noexcept {
    return threads_ ? feed::column_set{} : feed::column_set{feed::column::thread};
  }

 private:
  static constexpr std::size_t batch_size = 4096;

  // Columns on the heap. Batches refer to them, so moving the feed must not change their address.
  std::shared_ptr<const table_columns> columns_;
  file::table_reader from_;
  branch_rules rules_;
  bool threads_;
  register_reports registers_;
};

}  // namespace tracecodec::champsim
