// Implements analysis/find.hpp.
#pragma once
#include <algorithm>
#include <span>
#include <utility>

#include "../../io/error.hpp"
#include "../find.hpp"

namespace tracecodec::analysis {

TRACECODEC_FUNC finder::finder(find_criteria c, feed::column_source& trace)
    : c_(std::move(c)), trace_(&trace), becomes_(c_.only_register() && trace.has_all_registers()) {
  using feed::column;
  const auto need = [&trace](bool has, const std::string& what) {
    if (!has) throw trace_error(trace_errc::refused, {.file = std::string(trace.name())}, what);
  };
  const auto need_column = [&](bool wanted, column one, const char* what) {
    need(!wanted || trace.has().has(one), std::string("a trace of this format has no ") + what);
  };
  need_column(!c_.branch.empty() || c_.taken, column::branch, "branches");
  need_column(c_.thread_switch, column::thread, "threads");
  need_column(!c_.code.empty(), column::code, "code");
  need_column(!c_.mnemonic.empty(), column::mnemonic_matches, "code to disassemble");
  need_column(c_.contents() || c_.value, column::memory_values, "contents of memory");
  need_column(!c_.operations.empty(), column::operation, "operations");
  const bool changed = !c_.changed_register.empty();
  need_column(c_.register_value || changed, column::register_value, "values of registers");
  if (changed)
    need(trace.select_register(c_.changed_register).has_value() &&
             (!c_.register_value || c_.register_value->first == c_.changed_register),
         "no register '" + c_.changed_register + "' in this trace");
  if (c_.value) {
    for (unsigned i = 0; i < c_.value->size; ++i)
      number_.push_back(static_cast<std::byte>(c_.value->value >> 8 * i & 0xFF));
  }
  reversed_.assign(c_.bytes.rbegin(), c_.bytes.rend());
  if (reversed_ == c_.bytes || reversed_.size() > sizeof(std::uint64_t)) reversed_.clear();
  if (c_.register_value) {
    auto& [name, value] = *c_.register_value;
    const auto size = trace.select_register(name);
    need(size.has_value(), "no register '" + name + "' in this trace");
    if (c_.register_signed && *size != 0 && *size < sizeof(std::uint64_t)) {
      need(~value >> (8 * *size - 1) == 0, "register '" + name + "' has " +
                                               std::to_string(8 * *size) +
                                               " bits, fewer than the number");
      value &= (std::uint64_t{1} << 8 * *size) - 1;
    }
  }
  if (!c_.mnemonic.empty())
    need(trace.match_mnemonic(c_.mnemonic),
         "the disassembler has no mnemonic '" + c_.mnemonic + "'");
  for (const std::string& name : c_.operations) {
    const auto o = trace.operation_named(name);
    need(o.has_value(), "no operation '" + name + "'");
    operations_.push_back(*o);
  }
  trace.keep_batches();
  choose_columns();
}

// Selects the cheap columns. If there are no cheap columns, selects the column of the first
// expensive criterion, which is then tested for all rows.
TRACECODEC_FUNC void finder::choose_columns() {
  using feed::column;
  using feed::column_set;
  const auto add = [this](bool wanted, feed::column_set more) {
    if (wanted) columns_ |= more;
  };
  add(c_.thread_switch || becomes_, {column::thread});
  add(c_.ip.has_value(), {column::ip});
  add(!c_.branch.empty(), {column::branch});
  add(c_.taken.has_value(), {column::is_branch, column::taken});
  add(!operations_.empty(), {column::operation});
  add(c_.memory.has_value(), {column::memory});
  if (!becomes_ && !columns_.empty()) return;
  if (!c_.code.empty())
    columns_ |= column_set{column::code};
  else if (c_.contents() || c_.value)
    columns_ |= column_set{column::memory_values};
  else if (c_.register_value || !c_.changed_register.empty())
    columns_ |= column_set{column::register_value};
  else if (!c_.mnemonic.empty())
    columns_ |= column_set{column::mnemonic_matches};
}

TRACECODEC_FUNC void finder::add(const feed::columns& batch, std::size_t most) {
  found_.clear();
  failure_ = nullptr;
  try {
    for (std::size_t row = 0; found_.size() < most; ++row) {
      row = next(batch, row);
      if (row == batch.size()) return;
      found_.push_back(row);
    }
  } catch (const trace_error&) {
    failure_ = std::current_exception();
  }
}

TRACECODEC_FUNC std::size_t finder::next(const feed::columns& batch, std::size_t from) {
  if (from == 0) left_out_ += batch.left_out(columns_);
  const std::size_t size = batch.size();
  // Fast path: most rows fail one of these inexpensive tests.
  const auto ips = c_.ip && !c_.thread_switch ? batch.ip() : std::span<const std::uint64_t>();
  const auto branches = !c_.branch.empty() && !c_.thread_switch
                            ? batch.branch()
                            : std::span<const feed::branch_class>();
  const address_span wanted_ip = c_.ip.value_or(address_span());
  const feed::branch_classes wanted_branch = c_.branch;
  const bool by_memory = c_.memory && !c_.thread_switch;
  const feed::memory_column accesses = by_memory ? batch.memory() : feed::memory_column();
  for (std::size_t row = from; row != size; ++row) {
    if (!ips.empty())
      while (!wanted_ip.meets(ips[row], 1))
        if (++row == size) return size;
    if (!branches.empty())
      while (!wanted_branch.has(branches[row]))
        if (++row == size) return size;
    if (by_memory && (row = touching(accesses, row, size)) == size) return size;
    if (meets(batch, row)) return row;
  }
  return size;
}

TRACECODEC_FUNC bool finder::meets(const feed::columns& b, std::size_t row) {
  if (c_.thread_switch && !switches(b.thread()[row])) return false;
  if (c_.ip && !c_.ip->meets(b.ip()[row], 1)) return false;
  if (!c_.branch.empty() && !c_.branch.has(b.branch()[row])) return false;
  if (c_.taken && (b.is_branch()[row] == 0 || (b.taken()[row] != 0) != *c_.taken)) return false;
  if (!operations_.empty() && !has_operation(b.operation()[row])) return false;
  if (c_.memory && touching(b.memory(), row, row + 1) != row) return false;
  if (!c_.code.empty() && !begins(read(of_code, b, row))) return false;
  if (c_.contents() && !holds(read(of_contents, b, row))) return false;
  if (c_.value && !has_number(b, row)) return false;
  if (!c_.changed_register.empty() && !changes(read(of_register, b, row))) return false;
  if (c_.register_value && !has_value(read(of_register, b, row), b, row)) return false;
  if (c_.mnemonic.empty()) return true;
  const row_of r = read(of_mnemonic, b, row);
  return r.batch.mnemonic_matches()[r.row] != 0;
}

TRACECODEC_FUNC finder::row_of finder::read(part p, const feed::columns& batch, std::size_t row) {
  if (columns_.has(part_columns[p])) return {batch, row};
  trace_->read_row(row_[p], row, {part_columns[p]});
  left_out_ += row_[p].left_out();
  return {row_[p], 0};
}

TRACECODEC_FUNC bool finder::switches(std::uint32_t thread) {
  return std::exchange(last_, thread).value_or(thread) != thread;
}

// If the format does not store the sizes of accesses, only the first byte of each access is
// compared.
TRACECODEC_FUNC std::size_t finder::touching(const feed::memory_column& m, std::size_t row,
                                             std::size_t end) const {
  const address_span wanted = *c_.memory;
  std::size_t k = m.begin(row);
  for (const std::size_t last = m.end(end - 1);; ++k) {
    if (k == last) return end;
    if (wanted.meets(m.address[k], m.size[k]) && (m.write[k] != 0 ? c_.writes : c_.reads)) break;
  }
  while (m.end(row) <= k) ++row;
  return row;
}

TRACECODEC_FUNC bool finder::begins(const row_of& r) const {
  const auto code = r.batch.code()[r.row];
  return code.size() >= c_.code.size() && std::equal(c_.code.begin(), c_.code.end(), code.begin());
}

TRACECODEC_FUNC bool finder::has_operation(std::uint8_t operation) const {
  return std::find(operations_.begin(), operations_.end(), operation) != operations_.end();
}

// Returns true if the contents of memory at a row contain `wanted`. Ignores untrusted contents.
TRACECODEC_FUNC bool finder::has(const feed::memory_values_column& m, std::size_t row,
                                 std::span<const std::byte> wanted) const {
  for (std::size_t k = m.begin(row), end = m.end(row); k != end; ++k) {
    if (!(m.after[k] != 0 ? c_.writes : c_.reads) || m.trusted[k] == 0) continue;
    const auto all = m.bytes[k];
    if (std::search(all.begin(), all.end(), wanted.begin(), wanted.end()) != all.end()) return true;
  }
  return false;
}

TRACECODEC_FUNC bool finder::holds(const row_of& r) {
  const feed::memory_values_column m = r.batch.memory_values();
  const auto one = [&](std::span<const std::byte> wanted) { return has(m, r.row, wanted); };
  if (!c_.bytes.empty() && !one(c_.bytes)) {
    if (!found_bytes_ && !reversed_.empty() && one(reversed_)) ++reversed_rows_;
    return false;
  }
  found_bytes_ = true;
  return c_.texts.empty() || std::any_of(c_.texts.begin(), c_.texts.end(), one);
}

TRACECODEC_FUNC bool finder::has_number(const feed::columns& batch, std::size_t row) {
  const row_of memory = read(of_contents, batch, row);
  if (has(memory.batch.memory_values(), memory.row, number_)) return true;
  if (!trace_->has().has(feed::column::register_values)) return false;
  const row_of r = read(of_registers, batch, row);
  const feed::register_values_column v = r.batch.register_values();
  const unsigned unused = 8 * (8 - static_cast<unsigned>(number_.size()));
  // If the trace stores all registers, compare only values that the instruction sets. In the
  // trace's first row, compare all registers.
  const bool all = !trace_->has_all_registers() || batch.first() + row == 0;
  for (std::size_t k = v.begin(r.row), end = v.end(r.row); k != end; ++k)
    if ((all || v.after[k] != 0) && v.size[k] >= number_.size() &&
        (v.value[k] ^ c_.value->value) << unused == 0)
      return true;
  return false;
}

// Returns true if the register changes. The values before the instruction precede the values after
// it.
TRACECODEC_FUNC bool finder::changes(const row_of& r) {
  const feed::selected_register_column w = r.batch.register_value();
  const std::size_t begin = w.begin(r.row), end = w.end(r.row);
  for (std::size_t k = begin; k != end; ++k)
    if (w.after[k] != 0 && w.value[k] != w.value[begin]) return true;
  return false;
}

TRACECODEC_FUNC bool finder::has_value(const row_of& r, const feed::columns& batch,
                                       std::size_t row) {
  const feed::selected_register_column w = r.batch.register_value();
  const bool all_registers = trace_->has_all_registers();
  bool has = false;
  for (std::size_t k = w.begin(r.row), end = w.end(r.row); k != end; ++k)
    has = has || (w.value[k] == c_.register_value->second && !(all_registers && w.after[k] != 0));
  if (!becomes_) return has;
  const std::uint32_t thread = batch.thread()[row];
  if (had_of_ == nullptr || thread != thread_) {
    had_of_ = &had_[thread];
    thread_ = thread;
  }
  return !std::exchange(*had_of_, has) && has;
}

}  // namespace tracecodec::analysis
