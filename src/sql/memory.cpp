// Table `memory`, with a row for each access, and table-valued functions that select accesses.
#include <tracecodec/query/memory_questions.hpp>
#include <tracecodec/query/memory_state.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "scan.hpp"

namespace tracecodec::sql {

namespace {

// Functions, and the table itself.
struct access_kind {
  enum class range : std::uint8_t { table, all, last, first };
  const char* name;
  range is;
  bool reads, writes;
};
constexpr std::array kinds{
    access_kind{"memory", access_kind::range::table, true, true},
    access_kind{"accesses", access_kind::range::all, true, true},
    access_kind{"history", access_kind::range::all, false, true},
    access_kind{"last_write", access_kind::range::last, false, true},
    access_kind{"next_write", access_kind::range::first, false, true},
    access_kind{"last_read", access_kind::range::last, true, false},
    access_kind{"next_read", access_kind::range::first, true, false},
};

enum column : int {
  n,
  ip,
  thread,
  operand,
  address,
  size,
  written,
  value,
  old_value,
  bytes,
  old_bytes,
  parameters
};
// Maximum size of an access whose bytes are shown.
constexpr std::uint64_t most_bytes = 65536;

// Number of the parameter with the size. last_write(address, n, size), but accesses(address, size).
constexpr int size_parameter(const access_kind& k) noexcept {
  return parameters + (k.is == access_kind::range::all ? 1 : 2);
}

class memory_cursor : public cursor {
 public:
  memory_cursor(shared_trace of, const access_kind& kind, poll p)
      : scan_(std::move(of), std::move(p)),
        kind_(kind),
        ip_(column_of(*scan_.trace(), feed::column::ip)),
        thread_(column_of(*scan_.trace(), feed::column::thread)) {}

  void filter(const plan& p, std::span<sqlite3_value*> arguments) override {
    opened_trace& of = *scan_.trace();
    value_set numbers(false);
    std::vector<instruction_scan::filter> filters;
    bool none = false;
    address_ = value_set();
    size_ = value_set();
    written_ = value_set(false);
    bytes_.reset();
    std::optional<std::uint64_t> at;
    std::uint64_t size_of_bytes = 1;
    feed::column_set wanted{feed::column::memory};
    for (std::size_t k = 0; k != p.terms.size(); ++k) {
      const plan::term& t = p.terms[k];
      if (t.op >= SQLITE_INDEX_CONSTRAINT_LIMIT) continue;
      if (t.column >= parameters) {
        if (t.column == parameters)
          bytes_ = {number_of(arguments[k], "address"), 0};
        else if (t.column == size_parameter(kind_))
          size_of_bytes = number_of(arguments[k], "size");
        else
          at = number_of(arguments[k], "n");
        continue;
      }
      if (t.column == ip || t.column == thread) {
        add_filter(of, t.column == ip ? ip_ : thread_, t, arguments[k], filters, none);
        wanted |= needs_of(of, t.column == ip ? ip_ : thread_);
        continue;
      }
      value_set& to = t.column == n         ? numbers
                      : t.column == address ? address_
                      : t.column == size    ? size_
                                            : written_;
      if (t.is_list)
        to.add_list(arguments[k], name_of(t.column));
      else
        to.add(t.op, arguments[k], name_of(t.column));
      none = none || to.empty();
    }
    if (kind_.is != access_kind::range::table) {
      if (!bytes_)
        throw trace_error(
            trace_errc::refused, {},
            std::string(kind_.name) + " needs an address: " + kind_.name + "(0x1000)");
      if (size_of_bytes == 0) none = true;
      bytes_->last = bytes_->first + std::min(size_of_bytes - 1, ~bytes_->first);
    }
    if (p.uses(ip)) wanted |= needs_of(of, ip_);
    if (p.uses(thread)) wanted |= needs_of(of, thread_);
    if ((p.uses(value) || p.uses(old_value) || p.uses(bytes) || p.uses(old_bytes)) &&
        of.has(feed::column::memory_values))
      wanted |= {feed::column::memory_values};
    if (none)
      numbers.clear();
    else if (kind_.is == access_kind::range::last)
      none = !select_last(numbers, at);
    else if (kind_.is == access_kind::range::first)
      numbers.raise(at.value_or(0));
    only_one_ = kind_.is == access_kind::range::first || kind_.is == access_kind::range::last;
    if (none) numbers.clear();
    scan_.start(wanted, std::move(numbers), std::move(filters), candidates());
    entry_ = end_ = 0;
    found_.reset();
  }

  bool next() override {
    for (;;) {
      while (entry_ != end_) {
        at_ = entry_++;
        if (is_wanted()) {
          found_ = scan_.n();
          return true;
        }
      }
      if ((only_one_ && found_) || !scan_.next()) return false;
      const feed::memory_column m = scan_.batch().memory();
      begin_ = entry_ = m.begin(scan_.row());
      end_ = m.end(scan_.row());
    }
  }

  void column(sqlite3_context* to, int c) override {
    const feed::memory_column m = scan_.batch().memory();
    switch (c) {
      case n:
        return result_number(to, scan_.n());
      case ip:
      case thread:
        return result_value(to, *scan_.trace(), c == ip ? ip_ : thread_, scan_.batch(),
                            scan_.row());
      case operand:
        return result_number(to, at_ - begin_);
      case address:
        return result_number(to, m.address[at_]);
      case size:
        return m.size[at_] == 0 ? sqlite3_result_null(to) : result_number(to, m.size[at_]);
      case written:
        return result_number(to, m.write[at_]);
      default:
        if (c >= parameters) return sqlite3_result_null(to);
        return result_content(to, c);
    }
  }
  [[nodiscard]] sqlite3_int64 rowid() const override {
    // An instruction has at most 8,192 operands.
    return static_cast<sqlite3_int64>(scan_.n() << 13 | (at_ - begin_));
  }

 private:
  static const char* name_of(int c) noexcept {
    return c == n ? "n" : c == address ? "address" : c == size ? "size" : "write";
  }
  // Restricts the numbers to the last instruction before `before` that accesses the bytes.
  bool select_last(value_set& numbers, std::optional<std::uint64_t> before) {
    feed::column_source& from = scan_.source();
    const query::trace_index* const index = scan_.trace()->index();
    query::memory_questions questions = index != nullptr
                                            ? query::memory_questions(from, index->memory())
                                            : query::memory_questions(from);
    questions.on_batch([this] { scan_.check_interruption(); });
    const auto found =
        questions.last({.bytes = *bytes_, .reads = kind_.reads, .writes = kind_.writes},
                       before.value_or(query::memory_questions::no_end));
    if (found) numbers.add_equal(*found);
    return found.has_value();
  }

  // Returns a function that looks instructions up in the index, or an empty one if reading is faster.
  instruction_scan::candidates candidates() {
    constexpr std::uint64_t most_looked_up = 65536;
    const query::trace_index* const index = scan_.trace()->index();
    if (index == nullptr) return {};
    const analysis::address_span span =
        bytes_ ? *bytes_ : analysis::address_span{address_.first(), address_.last()};
    if (span.last < span.first || span.last - span.first >= most_looked_up) return {};
    const query::access_query q{.bytes = span,
                                .reads = kind_.reads && written_.has(0),
                                .writes = kind_.writes && written_.has(1)};
    return [index, q](std::uint64_t from) { return index->memory().first(q, from); };
  }

  [[nodiscard]] bool is_wanted() const {
    const feed::memory_column m = scan_.batch().memory();
    const std::uint64_t first = m.address[at_], bytes = m.size[at_];
    const bool is_write = m.write[at_] != 0;
    if (!(is_write ? kind_.writes : kind_.reads) || !written_.has(is_write ? 1 : 0)) return false;
    if (!address_.has(first)) return false;
    // An access of unknown size has no size, and is known by its first byte.
    if (bytes == 0 ? !size_.is_everything() : !size_.has(bytes)) return false;
    if (!bytes_) return true;
    return bytes_->first - first < std::max<std::uint64_t>(bytes, 1) ||
           first - bytes_->first <= bytes_->last - bytes_->first;
  }

  void result_content(sqlite3_context* to, int c) const {
    const feed::memory_column m = scan_.batch().memory();
    const bool is_write = m.write[at_] != 0, is_old = c == old_value || c == old_bytes;
    if (m.size[at_] == 0 || m.size[at_] > most_bytes || (is_old && !is_write) ||
        !scan_.batch().requested().has(feed::column::memory_values))
      return sqlite3_result_null(to);
    const bool is_number = c == value || c == old_value;
    if (is_number && m.size[at_] > 8) return sqlite3_result_null(to);
    const auto found = query::values_in(scan_.batch().memory_values(), scan_.row(), m.address[at_],
                                        static_cast<std::size_t>(m.size[at_]), is_write && !is_old);
    std::vector<std::byte> all;
    for (const auto& b : found) {
      if (!b) return sqlite3_result_null(to);
      all.push_back(*b);
    }
    if (!is_number) return result_bytes(to, all);
    std::uint64_t number = 0;
    for (std::size_t i = 0; i != all.size(); ++i)
      number |= std::to_integer<std::uint64_t>(all[i]) << 8 * i;
    result_number(to, number);
  }

  instruction_scan scan_;
  access_kind kind_;
  instruction_column ip_, thread_;
  value_set address_{}, size_{}, written_{false};
  std::optional<analysis::address_span> bytes_ = {};
  bool only_one_ = false;
  std::optional<std::uint64_t> found_ = {};
  std::size_t begin_ = 0, entry_ = 0, end_ = 0, at_ = 0;
};

class memory_table : public table {
 public:
  memory_table(shared_trace of, const access_kind& kind) : trace_(std::move(of)), kind_(kind) {
    columns_ = {{"n"},
                {"ip", column_type::address},
                {"thread"},
                {"operand"},
                {"address", column_type::address},
                {"size"},
                {"write"},
                {"value", column_type::address},
                {"old_value", column_type::address},
                {"bytes", column_type::blob},
                {"old_bytes", column_type::blob}};
    if (kind_.is == access_kind::range::table) return;
    columns_.push_back({"of_address", column_type::address, true});
    if (kind_.is != access_kind::range::all)
      columns_.push_back({kind_.is == access_kind::range::last ? "before_n" : "from_n",
                          column_type::integer, true});
    columns_.push_back({"of_size", column_type::integer, true});
  }

  [[nodiscard]] bool takes(int c, int op) const override {
    if (c >= parameters) return op == SQLITE_INDEX_CONSTRAINT_EQ;
    // The functions that select one instruction do so before other constraints.
    if (kind_.is == access_kind::range::last || kind_.is == access_kind::range::first) return false;
    if (c == thread) return is_filter(column_of(*trace_, feed::column::thread), op);
    return is_comparison(op) && (c == n || c == ip || c == address || c == size || c == written);
  }
  [[nodiscard]] bool is_sorted_by(int c) const override { return c == n; }
  [[nodiscard]] cost cost_of(const plan& p) const override {
    double read = trace_->instructions(), part = 0.5;
    for (const plan::term& t : p.terms) {
      if (t.op >= SQLITE_INDEX_CONSTRAINT_LIMIT) continue;
      const bool is_equal = t.op == SQLITE_INDEX_CONSTRAINT_EQ;
      if (t.column == n)
        read = is_equal ? (t.is_list ? 25 : 1) : read / 4;
      else
        part *= is_equal ? 0.05 : 0.5;
    }
    if (looks_up(p)) return {std::min(read, 100.0), 10 + std::min(read, 500.0)};
    return {read * part, 10 + read * (0.3 + 0.8 * part)};
  }
  [[nodiscard]] std::string note_of(const plan& p) const override {
    return looks_up(p) ? "tcidx" : "";
  }
  [[nodiscard]] std::unique_ptr<cursor> open(const poll& p) override {
    return std::make_unique<memory_cursor>(trace_, kind_, p);
  }

 private:
  // Returns true if the accesses may be looked up in the index.
  [[nodiscard]] bool looks_up(const plan& p) const {
    if (trace_->index() == nullptr) return false;
    bool has_first = false, has_last = false;
    for (const plan::term& t : p.terms) {
      if (t.op >= SQLITE_INDEX_CONSTRAINT_LIMIT) continue;
      if (t.column == parameters) return true;
      if (t.column != address) continue;
      if (t.op == SQLITE_INDEX_CONSTRAINT_EQ && !t.is_list) return true;
      has_first =
          has_first || t.op == SQLITE_INDEX_CONSTRAINT_GE || t.op == SQLITE_INDEX_CONSTRAINT_GT;
      has_last =
          has_last || t.op == SQLITE_INDEX_CONSTRAINT_LE || t.op == SQLITE_INDEX_CONSTRAINT_LT;
    }
    return has_first && has_last;
  }

  shared_trace trace_;
  access_kind kind_;
};

template <std::size_t Kind> std::unique_ptr<table> make(const shared_trace& of) {
  return std::make_unique<memory_table>(of, kinds[Kind]);
}
template <std::size_t... Kind> std::vector<table_kind> all_kinds(std::index_sequence<Kind...>) {
  return {table_kind{kinds[Kind].name, make<Kind>}...};
}

}  // namespace

std::vector<table_kind> memory_tables() {
  return all_kinds(std::make_index_sequence<kinds.size()>());
}

}  // namespace tracecodec::sql
