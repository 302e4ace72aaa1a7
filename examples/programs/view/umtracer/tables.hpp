// Prints the tables of a UMTracer trace. The fields have the same names as in the specification.
#pragma once
#include <tracecodec/umtracer/layout/names.hpp>
#include <tracecodec/umtracer/layout/utf16.hpp>
#include <tracecodec/umtracer/query/memory_at.hpp>
#include <tracecodec/umtracer/query/module_index.hpp>
#include <tracecodec/umtracer/reader.hpp>
#include <tracecodec/umtracer/reader/addresses.hpp>
#include <tracecodec/umtracer/rows.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../common/places.hpp"
#include "../fields.hpp"

namespace view {

namespace umtracer = tracecodec::umtracer;

// Trace, and the names that are needed to print a row.
struct umtracer_trace {
  const umtracer::reader& trace;
  const umtracer::names& names;
  // Modules and symbols that the options provide, in addition to those in the trace.
  const tracecodec::program_map* places = nullptr;
  umtracer::module_index modules = umtracer::build_module_index(trace.modules());

  // Returns the name of a register, such as "RAX" or "MEM0". Returns an empty view if the register
  // has no name.
  [[nodiscard]] std::string_view name_of(std::uint16_t id) const {
    return umtracer::operand_name(trace.registers(), id);
  }
  [[nodiscard]] std::string module_name(std::size_t i) const {
    return umtracer::to_utf8(trace.modules().win_name(i));
  }
};

namespace detail {
// Adds the number of a register, and its name if it has one.
inline void add_register(fields& f, const umtracer_trace& t, std::uint16_t id) {
  f.number("RegName", id);
  if (const auto n = t.name_of(id); !n.empty()) f.text("StrName", n);
}

// Adds the registers that are not part of another register, then the memory references.
inline void add_context(fields& f, const umtracer_trace& t, const umtracer::record_view& r) {
  const umtracer::context_view c = r.context();
  const auto& map = t.trace.registers();
  std::vector<std::uint16_t> whole;
  for (std::uint16_t id = 0; id < map.size(); ++id)
    if (map.info(id, r.code64()).largest == id && !c.register_bytes(id).empty())
      whole.push_back(id);
  f.list("Regs", whole.size(), [&](std::size_t i) {
    add_register(f, t, whole[i]);
    f.bytes("Value", c.register_bytes(whole[i]));
  });
  f.list("MemRefs", c.memory_count(), [&](std::size_t i) {
    const umtracer::memory_reference m = c.memory(i);
    f.hex("Address", m.address);
    f.number("Size", m.bytes.size());
    f.bytes("Data", m.bytes);
  });
}

inline void add_values(fields& f, const umtracer_trace& t, const umtracer::operand_values& all) {
  f.list("OperVals", all.size(), [&](std::size_t i) {
    const umtracer::slot s = all.slot(i);
    const umtracer::slot_value v = all.value(s);
    add_register(f, t, s.name);
    f.text("When", i < all.first_after() ? "before" : "after");
    if (v.has_address) f.hex("Address", v.address);
    f.bytes("Value", v.bytes);
  });
}

inline void add_name(fields& f, std::string_view key, const umtracer::name_table& table,
                     std::uint32_t number) {
  if (const auto n = table.name(number); !n.empty()) f.text(key, n);
}
}  // namespace detail

// The following functions add the fields of row `i`, which must exist. The functions throw any
// trace_error of the reader.
inline void show_exec(fields& f, const umtracer_trace& t, std::size_t i) {
  const umtracer::record_view r = t.trace[i];
  f.number("ThreadID", r.thread());
  f.enumeration("Type", r.type());
  f.hex("Flags", r.flags());
  if (!f.is_compact()) {
    const umtracer::neighbours n = t.trace.neighbours_of(i);
    f.id("Prev", n.previous);
    f.id("Next", n.next);
  }
  if (r.type() == umtracer::exec_type::instruction) {
    const std::size_t ins = t.trace.row_of(r);
    const auto& table = t.trace.instructions();
    const std::uint64_t address = instruction_address(t.trace, ins);
    f.number("InsID", ins);
    f.hex("Address", address);
    f.text("Disasm", table.text(ins));
    const auto place = t.places ? t.places->at(address) : tracecodec::program_place{};
    if (f.is_compact()) {
      if (const auto text = examples::place_text(place); !text.empty()) f.text("In", text);
      return;
    }
    if (const auto m = t.modules.at(address, static_cast<std::int64_t>(i))) {
      f.text("Module", t.module_name(*m));
      f.hex("ModuleOffset", address - t.trace.modules()[*m].start_address);
    }
    if (place.symbol != nullptr) {
      f.text("Symbol", place.symbol->name);
      f.hex("SymbolOffset", place.symbol_offset);
    }
    detail::add_values(f, t, operands_of(t.trace, r));
  } else if (r.has_syscall()) {
    f.id("SyscallID", r.syscall_id());
  } else if (r.has_exit_code()) {
    f.number("ExitCode", r.exit_code());
  } else if (!r.has_context()) {
    f.bytes("Data", r.data());
  }
  if (r.has_context() && !f.is_compact()) detail::add_context(f, t, r);
}

namespace detail {
inline void add_decoded(fields& f, const umtracer_trace& t,
                        const umtracer::decoded_instruction& d) {
  f.number("Category", d.category);
  add_name(f, "CategoryName", t.names.categories, d.category);
  f.number("Mnemonic", d.mnemonic);
  add_name(f, "MnemonicName", t.names.mnemonics, d.mnemonic);
  f.number("Form", d.form);
  add_name(f, "FormName", t.names.forms, d.form);
  if (f.is_compact()) return;
  f.hex("Flags", d.flags);
  f.number("ExpCount", d.operand_count);
  f.list("ExpOper", std::min<std::size_t>(d.operand_count, d.operands.size()), [&](std::size_t n) {
    const umtracer::explicit_operand& o = d.operands[n];
    add_register(f, t, o.name);
    f.number("Size", o.size);
    f.number("Flags", o.flags);
    f.number("BeforeSlot", o.before_slot);
    f.number("AfterSlot", o.after_slot);
    f.number("BeforeOffset", o.before_offset);
    f.number("AfterOffset", o.after_offset);
  });
  f.number("EffOperSize", d.operand_size);
  f.number("EffAddrSize", d.address_size);
  f.number("LCSize", d.values_size);
  f.number("FirstOutSlot", d.first_out_slot);
  f.number("FirstAfterSlot", d.first_after_slot);
  f.number("LCCount", d.slot_count);
  f.number("Mem0SegSlot", d.mem0_segment_slot);
  f.number("Mem0BaseSlot", d.mem0_base_slot);
  f.number("Mem0Scale", d.mem0_scale);
  f.number("Mem0IndexSlot", d.mem0_index_slot);
  f.number("Mem1BaseSlot", d.mem1_base_slot);
  f.numbers("ConstSlot", d.constants);
  f.list("LCSlots", d.slot_count, [&](std::size_t n) {
    const umtracer::slot s = d.slots[n];
    add_register(f, t, s.name);
    f.number("CommonRegName", s.common_name);
    f.number("ValueSize", s.value_size);
    f.number("Offset", s.offset);
    f.number("AddrWidth", s.address_width);
  });
}
}  // namespace detail

inline void show_instruction(fields& f, const umtracer_trace& t, std::size_t i) {
  const auto& table = t.trace.instructions();
  const umtracer::instruction_record r = table[i];
  const umtracer::decoded_instruction d = table.decoded(i);
  if (!f.is_compact()) f.id("ID", r.id);
  f.enumeration("Type", r.type);
  f.number("CSis64Bits", r.code64);
  f.number("CodeSize", r.code_size);
  f.id("ModuleID", r.module_id);
  f.hex("Address", r.address);
  f.bytes("CodeBytes", table.code(i));
  f.text("Disasm", table.text(i));
  f.part("Decoded", [&] { detail::add_decoded(f, t, d); });
}

inline void show_syscall(fields& f, const umtracer_trace& t, std::size_t i) {
  const auto& table = t.trace.syscalls();
  const umtracer::syscall_record s = table[i];
  f.number("RawID", s.raw_id);
  f.number("UniformID", s.uniform_id);
  detail::add_name(f, "UniformName", t.names.syscalls, s.uniform_id);
  f.enumeration("Convention", s.convention);
  f.number("Completed", s.completed);
  f.id("BeginEID", s.begin_eid);
  f.id("EndEID", s.end_eid);
  f.hex("BeforeSP", s.stack_pointer);
  if (s.completed != 0)
    f.hex("Result", s.result);
  else
    f.none("Result");
  const auto arguments = table.arguments(i);
  f.number("ArgCount", s.argument_count);
  f.numbers("Args", arguments);
  if (f.is_compact()) return;
  f.number("ExtraCount", s.extra_count);
  f.bytes("Extras", table.extras(i));
}

inline void show_module(fields& f, const umtracer_trace& t, std::size_t i) {
  const umtracer::module_record m = t.trace.modules()[i];
  f.id("LoadEID", m.load_eid);
  f.id("UnloadEID", m.unload_eid);
  f.hex("StartAddr", m.start_address);
  f.hex("EndAddr", m.end_address);
  f.text("WinName", t.module_name(i));
  if (f.is_compact()) return;
  f.text("DeviceName", umtracer::to_utf8(t.trace.modules().device_name(i)));
  if (const auto v = t.trace.modules().version(i)) {
    f.number("LastFileWriteTime", v->last_write_time);
    std::string version;
    for (const std::uint16_t n : v->version) {
      if (!version.empty()) version += '.';
      version += std::to_string(n);
    }
    f.text("Version", version);
  }
}

inline void show_thread(fields& f, const umtracer_trace& t, std::size_t i) {
  const umtracer::thread_record r = t.trace.threads()[i];
  f.number("ID", r.id);
  f.number("WinTID", r.win_tid);
  f.hex("TIBAddr", r.tib_address);
  f.id("FirstEID", r.first_eid);
  f.id("LastEID", r.last_eid);
  f.id("RecCount", r.record_count);
}

inline void show_register(fields& f, const umtracer_trace& t, std::size_t i) {
  const auto& map = t.trace.registers();
  const auto id = static_cast<std::uint16_t>(i);
  f.text("StrName", map.name(id));
  f.number("CommonName", map.common_name(id));
  for (const bool code64 : {false, true}) {
    const umtracer::register_info r = map.info(id, code64);
    const std::string_view key = code64 ? "RegMap64" : "RegMap32";
    if (!r.present())
      f.none(key);
    else
      f.part(key, [&] {
        f.number("Offset", r.offset);
        f.number("Size", r.size);
        f.number("EffLargest", r.largest);
      });
  }
}

inline void show_range(fields& f, const umtracer_trace& t, std::size_t i) {
  const umtracer::address_range r = t.trace.ranges()[i];
  f.hex("First", r.first);
  f.hex("Last", r.last);
}

// Returns the memory contents before record `i`. A byte is unknown if no record reveals it. Throws
// any trace_error of memory_at().
inline memory_dump memory_before(const umtracer::reader& trace, std::uint64_t i,
                                 const tracecodec::analysis::address_span& wanted) {
  const auto found = umtracer::memory_at(trace, i, {wanted.first, wanted.last - wanted.first + 1});
  memory_dump d{wanted.first, {}};
  d.bytes.reserve(found.bytes.size());
  for (const umtracer::known_byte& b : found.bytes)
    d.bytes.push_back({std::to_integer<std::uint8_t>(b.value), b.known});
  return d;
}

// Table of a UMTracer trace: its name on the command line, the title of a row, the number of rows,
// and the function that adds the fields of a row.
struct umtracer_table {
  std::string_view name, row;
  // JSON field that contains the number of the row; empty if the row has its own id.
  std::string_view key;
  std::uint64_t (*size)(const umtracer::reader&);
  void (*show)(fields&, const umtracer_trace&, std::size_t);
};
inline constexpr std::array<umtracer_table, 7> umtracer_tables{{
    {"exec", "Record", "ID", [](const umtracer::reader& r) -> std::uint64_t { return r.size(); },
     show_exec},
    {"ins", "Instruction", "",
     [](const umtracer::reader& r) -> std::uint64_t { return r.instructions().size(); },
     show_instruction},
    {"syscall", "System call", "ID",
     [](const umtracer::reader& r) -> std::uint64_t { return r.syscalls().size(); }, show_syscall},
    {"module", "Module", "ID",
     [](const umtracer::reader& r) -> std::uint64_t { return r.modules().size(); }, show_module},
    {"thread", "Thread", "",
     [](const umtracer::reader& r) -> std::uint64_t { return r.threads().size(); }, show_thread},
    {"context", "Register", "ID",
     [](const umtracer::reader& r) -> std::uint64_t { return r.registers().size(); },
     show_register},
    {"ranges", "Range", "ID",
     [](const umtracer::reader& r) -> std::uint64_t { return r.ranges().size(); }, show_range},
}};

}  // namespace view
