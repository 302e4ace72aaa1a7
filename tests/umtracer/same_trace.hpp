// Compares two traces in every field of every table.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "umtracer/support.hpp"

namespace test {

inline bytes copy_of(std::span<const std::byte> b) { return {b.begin(), b.end()}; }
inline std::u16string units(const tracecodec::wire::array_view<tracecodec::wire::u16le>& u) {
  return {u.begin(), u.end()};
}

inline void check_same(const umtracer::slot_value& a, const umtracer::slot_value& b) {
  REQUIRE(a.address == b.address);
  REQUIRE(copy_of(a.bytes) == copy_of(b.bytes));
}

inline void check_same(const umtracer::context_view& a, const umtracer::context_view& b) {
  REQUIRE(copy_of(a.buffer()) == copy_of(b.buffer()));
  REQUIRE(a.memory_count() == b.memory_count());
  for (std::size_t i = 0; i < a.memory_count(); ++i) {
    REQUIRE(a.memory(i).address == b.memory(i).address);
    REQUIRE(copy_of(a.memory(i).bytes) == copy_of(b.memory(i).bytes));
  }
}

inline void check_same_records(const umtracer::reader& a, const umtracer::reader& b) {
  using type = umtracer::exec_type;
  REQUIRE(a.size() == b.size());
  for (std::uint64_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    const umtracer::record_view x = a[i], y = b[i];
    REQUIRE(x.thread() == y.thread());
    REQUIRE(x.type() == y.type());
    REQUIRE(x.flags() == y.flags());
    REQUIRE(a.neighbours_of(i) == b.neighbours_of(i));
    if (x.type() == type::instruction) {
      REQUIRE(x.instruction_id() == y.instruction_id());
      const umtracer::decoded_instruction d = a.instructions().decoded(a.row_of(x));
      REQUIRE(y.values().size() == d.values_size);
      REQUIRE(copy_of(x.values().first(d.values_size)) == copy_of(y.values()));
      for (const umtracer::slot s : d.slots)
        check_same(umtracer::value_of(s, x.values()), umtracer::value_of(s, y.values()));
    }
    if (x.type() == type::thread_end || x.type() == type::application_end)
      REQUIRE(x.exit_code() == y.exit_code());
    if (x.has_syscall()) REQUIRE(x.syscall_id() == y.syscall_id());
    if (x.has_context()) check_same(x.context(), y.context());
  }
}

inline void check_same_instructions(const umtracer::instruction_table& a,
                                    const umtracer::instruction_table& b) {
  REQUIRE(a.version() == b.version());
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    const auto x = a[i], y = b[i];
    REQUIRE(x.id == y.id);
    REQUIRE(x.type == y.type);
    REQUIRE(x.code64 == y.code64);
    REQUIRE(x.module_id == y.module_id);
    REQUIRE(x.address == y.address);
    REQUIRE(copy_of(a.code(i)) == copy_of(b.code(i)));
    REQUIRE(a.text(i) == b.text(i));
    const auto d = a.decoded(i), e = b.decoded(i);
    REQUIRE(d.operand_count == e.operand_count);
    for (std::size_t k = 0; k < d.operand_count; ++k) REQUIRE(d.operands[k] == e.operands[k]);
    REQUIRE(std::equal(d.slots.begin(), d.slots.end(), e.slots.begin(), e.slots.end()));
    const auto numbers = [](const umtracer::decoded_instruction& n) {
      return std::vector<std::uint64_t>{n.category,        n.mnemonic,          n.form,
                                        n.flags,           n.operand_size,      n.address_size,
                                        n.values_size,     n.first_out_slot,    n.first_after_slot,
                                        n.slot_count,      n.mem0_segment_slot, n.mem0_base_slot,
                                        n.mem0_scale,      n.mem0_index_slot,   n.mem1_base_slot,
                                        n.constants.at(0), n.constants.at(1)};
    };
    REQUIRE(numbers(d) == numbers(e));
  }
}

inline void check_same_modules(const umtracer::module_table& a, const umtracer::module_table& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto x = a[i], y = b[i];
    CHECK(x.load_eid == y.load_eid);
    CHECK(x.unload_eid == y.unload_eid);
    CHECK(x.start_address == y.start_address);
    CHECK(x.end_address == y.end_address);
    CHECK(units(a.win_name(i)) == units(b.win_name(i)));
    CHECK(units(a.device_name(i)) == units(b.device_name(i)));
    CHECK(a.version(i) == b.version(i));
  }
}

inline void check_same_syscalls(const umtracer::syscall_table& a,
                                const umtracer::syscall_table& b) {
  REQUIRE(a.header() == b.header());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    auto x = a[i], y = b[i];
    if (x.completed == 0) x.result = y.result;
    x.arguments = y.arguments;
    x.extras = y.extras;
    CHECK(x == y);
    const auto v = a.arguments(i), w = b.arguments(i);
    CHECK(std::equal(v.begin(), v.end(), w.begin(), w.end()));
    CHECK(copy_of(a.extras(i)) == copy_of(b.extras(i)));
  }
}

template <class Rows> void check_same_rows(const Rows& a, const Rows& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == b[i]);
}

inline void check_same(const umtracer::reader& a, const umtracer::reader& b) {
  CHECK(a.header() == b.header());
  check_same_records(a, b);
  check_same_instructions(a.instructions(), b.instructions());
  check_same_modules(a.modules(), b.modules());
  check_same_syscalls(a.syscalls(), b.syscalls());
  check_same_rows(a.threads(), b.threads());
  check_same_rows(a.ranges(), b.ranges());
  for (const auto f : {umtracer::file::context_map, umtracer::file::xml})
    CHECK(copy_of(a.files()[f]) == copy_of(b.files()[f]));
}

}  // namespace test
