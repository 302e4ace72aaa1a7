// Describes the columns of tracecodec.h, and returns the arrays of each column in a batch.
#include <algorithm>
#include <array>
#include <cstring>

#include "trace.hpp"

namespace tracecodec::c {

namespace {

using feed::column;

struct described {
  tracecodec_column_info info;
  std::array<tracecodec_part_info, 5> parts;
};

constexpr described value(column c, std::int32_t type, const char* unit) {
  return {{feed::name(c).data(), 0, 0, 1}, {{{feed::name(c).data(), unit, type, 0}}}};
}
constexpr described list(column c, std::int32_t type, const char* unit) {
  described d = value(c, type, unit);
  d.info.is_list = 1;
  return d;
}
template <std::size_t N>
constexpr described entries(column c, const tracecodec_part_info (&parts)[N]) {
  described d{{feed::name(c).data(), 1, 0, N}, {}};
  std::copy(parts, parts + N, d.parts.begin());
  return d;
}

constexpr std::array<described, feed::column_count> table{
    {value(column::index, TRACECODEC_U64, "number"),
     value(column::ip, TRACECODEC_U64, "address"),
     value(column::branch, TRACECODEC_U8, "class"),
     value(column::is_branch, TRACECODEC_FLAG, "flag"),
     value(column::taken, TRACECODEC_FLAG, "flag"),
     value(column::target, TRACECODEC_U64, "address"),
     value(column::thread, TRACECODEC_U32, "number"),
     value(column::thread_known, TRACECODEC_FLAG, "flag"),
     value(column::size, TRACECODEC_U32, "bytes"),
     list(column::code, TRACECODEC_BYTE, "byte"),
     list(column::text, TRACECODEC_BYTE, "byte"),
     value(column::mnemonic_matches, TRACECODEC_FLAG, "flag"),
     value(column::operation, TRACECODEC_U8, "operation"),
     value(column::decor, TRACECODEC_U64, "number"),
     value(column::location, TRACECODEC_U32, "number"),
     value(column::event_operand, TRACECODEC_U64, "address"),
     list(column::destination_registers, TRACECODEC_U8, "register"),
     list(column::source_registers, TRACECODEC_U8, "register"),
     value(column::dropped_operands, TRACECODEC_U64, "number"),
     entries(column::memory, {{"address", "address", TRACECODEC_U64, 0},
                              {"size", "bytes", TRACECODEC_U64, 0},
                              {"write", "flag", TRACECODEC_FLAG, 0}}),
     entries(column::memory_values, {{"address", "address", TRACECODEC_U64, 0},
                                     {"after", "flag", TRACECODEC_FLAG, 0},
                                     {"trusted", "flag", TRACECODEC_FLAG, 0},
                                     {"bytes", "byte", TRACECODEC_BYTE, 1}}),
     entries(column::register_values, {{"number", "register", TRACECODEC_U8, 0},
                                       {"offset", "bytes", TRACECODEC_U16, 0},
                                       {"size", "bytes", TRACECODEC_U8, 0},
                                       {"value", "number", TRACECODEC_U64, 0},
                                       {"after", "flag", TRACECODEC_FLAG, 0}}),
     entries(column::register_value,
             {{"value", "number", TRACECODEC_U64, 0}, {"after", "flag", TRACECODEC_FLAG, 0}}),
     value(column::recorded_branch, TRACECODEC_FLAG, "flag"),
     value(column::recorded_taken, TRACECODEC_FLAG, "flag"),
     value(column::uncertainty, TRACECODEC_U8, "bits"),
     value(column::reads, TRACECODEC_FLAG, "flag"),
     value(column::writes, TRACECODEC_FLAG, "flag"),
     value(column::time, TRACECODEC_U64, "time"),
     value(column::cpu, TRACECODEC_U32, "number"),
     value(column::system_events, TRACECODEC_U16, "bits")}};

constexpr bool in_order() {
  for (std::size_t i = 0; i != table.size(); ++i)
    if (table[i].info.name != feed::name(static_cast<column>(i)).data()) return false;
  return true;
}
static_assert(in_order());
static_assert(TRACECODEC_COLUMN_RECORDED_TAKEN == static_cast<int>(column::recorded_taken) &&
              TRACECODEC_COLUMN_MEMORY == static_cast<int>(column::memory) &&
              TRACECODEC_COLUMN_SYSTEM_EVENTS + 1 == feed::column_count);

template <class T> tracecodec_array array(std::span<const T> values,
                                          std::span<const std::int32_t> offsets = {}) noexcept {
  return {values.data(), values.size(), offsets.empty() ? nullptr : offsets.data()};
}

}  // namespace

std::uint64_t bits_of(feed::column_set s) noexcept {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i != feed::column_count; ++i)
    if (s.has(static_cast<column>(i))) bits |= TRACECODEC_BIT(i);
  return bits;
}

feed::column_set set_of(std::uint64_t bits) {
  if (bits >> feed::column_count != 0)
    throw trace_error(trace_errc::refused, {}, "no column has this number");
  feed::column_set s;
  for (std::size_t i = 0; i != feed::column_count; ++i)
    if ((bits & TRACECODEC_BIT(i)) != 0) s |= {static_cast<column>(i)};
  return s;
}

std::span<const std::int32_t> offsets_of(const feed::columns& from, column c) noexcept {
  switch (c) {
    case column::code:
      return from.code().offsets;
    case column::text:
      return from.text().offsets;
    case column::destination_registers:
      return from.destination_registers().offsets;
    case column::source_registers:
      return from.source_registers().offsets;
    case column::memory:
      return from.memory().offsets;
    case column::memory_values:
      return from.memory_values().offsets;
    case column::register_values:
      return from.register_values().offsets;
    case column::register_value:
      return from.register_value().offsets;
    default:
      return {};
  }
}

tracecodec_array array_of(const feed::columns& b, column c, std::size_t part) noexcept {
  const auto own = offsets_of(b, c);
  switch (c) {
    case column::index:
      return array(b.index());
    case column::ip:
      return array(b.ip());
    case column::branch:
      return array(b.branch());
    case column::is_branch:
      return array(b.is_branch());
    case column::taken:
      return array(b.taken());
    case column::target:
      return array(b.target());
    case column::thread:
      return array(b.thread());
    case column::thread_known:
      return array(b.thread_known());
    case column::size:
      return array(b.code_size());
    case column::code:
      return array(b.code().values, own);
    case column::text:
      return array(b.text().values, own);
    case column::mnemonic_matches:
      return array(b.mnemonic_matches());
    case column::operation:
      return array(b.operation());
    case column::decor:
      return array(b.decor());
    case column::location:
      return array(b.location());
    case column::event_operand:
      return array(b.event_operand());
    case column::destination_registers:
      return array(b.destination_registers().values, own);
    case column::source_registers:
      return array(b.source_registers().values, own);
    case column::dropped_operands:
      return array(b.dropped_operands());
    case column::memory: {
      const auto m = b.memory();
      if (part == 0) return array(m.address, own);
      if (part == 1) return array(m.size, own);
      return array(m.write, own);
    }
    case column::memory_values: {
      const auto m = b.memory_values();
      if (part == 0) return array(m.address, own);
      if (part == 1) return array(m.after, own);
      if (part == 2) return array(m.trusted, own);
      return array(m.bytes.values, m.bytes.offsets);
    }
    case column::register_values: {
      const auto r = b.register_values();
      if (part == 0) return array(r.number, own);
      if (part == 1) return array(r.offset, own);
      if (part == 2) return array(r.size, own);
      if (part == 3) return array(r.value, own);
      return array(r.after, own);
    }
    case column::register_value: {
      const auto w = b.register_value();
      if (part == 0) return array(w.value, own);
      return array(w.after, own);
    }
    case column::recorded_branch:
      return array(b.recorded_branch());
    case column::recorded_taken:
      return array(b.recorded_taken());
    case column::uncertainty:
      return array(b.uncertainty());
    case column::reads:
      return array(b.reads());
    case column::writes:
      return array(b.writes());
    case column::time:
      return array(b.time());
    case column::cpu:
      return array(b.cpu());
    case column::system_events:
      return array(b.system_events());
  }
  return {};
}

}  // namespace tracecodec::c

size_t tracecodec_columns(void) noexcept { return tracecodec::feed::column_count; }

const tracecodec_column_info* tracecodec_column(size_t column) noexcept {
  return column < tracecodec::c::table.size() ? &tracecodec::c::table[column].info : nullptr;
}

const tracecodec_part_info* tracecodec_part(size_t column, size_t part) noexcept {
  if (column >= tracecodec::c::table.size()) return nullptr;
  const auto& d = tracecodec::c::table[column];
  return part < d.info.parts ? &d.parts[part] : nullptr;
}
