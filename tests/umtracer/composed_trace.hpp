// Trace composed in memory from a few registers, instructions and records.
#pragma once
#include <array>
#include <cstring>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "umtracer/support.hpp"

namespace test {

namespace wire = tracecodec::wire;
using umtracer::exec_type;
namespace exec_flags = umtracer::exec_flags;

// Register numbers of the trace. Contexts have 8 bytes each for rax, rcx, rip and rflags, 32
// for ymm0, and 16 each for st0 and st1. Contexts of 32-bit code have the same layout.
namespace regs {
enum : std::uint16_t {
  none,
  al,
  ah,
  ax,
  eax,
  rax,
  ecx,
  rcx,
  eip,
  rip,
  eflags,
  rflags,
  xmm0,
  ymm0,
  st0,
  st1,
  mmx1,
  push,
  count
};
}
inline constexpr std::size_t tiny_dump = 96;

class composed_trace {
 public:
  struct operand {
    std::uint16_t name;
    std::uint16_t size;
    bool memory = false;
  };
  struct instruction {
    std::vector<operand> in = {}, before = {}, after = {};
    std::uint8_t flags = 0;
    umtracer::instruction_type type = umtracer::instruction_type::normal;
    std::uint64_t address = 0;
    std::int32_t module = -1;
    std::int64_t disassembly = 0;  // offset of its text
  };

  std::size_t add(const instruction& i) {
    instructions_.push_back(i);
    return instructions_.size() - 1;
  }
  // Adds a record and returns its id. open() links the records of each thread.
  std::uint64_t add(std::uint32_t thread, exec_type type, std::uint8_t flags, bytes data = {}) {
    bytes r(6);
    umtracer::exec_record_codec::encode({thread, type, flags}, r);
    const auto id = static_cast<std::int64_t>(neighbours_.size());
    const auto last = last_.find(thread);
    neighbours_.push_back({last == last_.end() ? -1 : last->second, -1});
    if (last != last_.end()) neighbours_[static_cast<std::size_t>(last->second)].next = id;
    last_[thread] = id;
    offsets_.push_back(16 + records_.size());
    records_ += r + data;
    return static_cast<std::uint64_t>(id);
  }
  // Adds an execution of a row. `values` are in slot order; memory has its address
  // before the value.
  std::uint64_t run(std::uint32_t thread, std::size_t row, std::string_view values,
                    std::uint8_t flags = exec_flags::code64) {
    return add(thread, exec_type::instruction, flags, number(row) + from_hex(values));
  }
  // Returns a register context with an optional piece of memory.
  static bytes context(const bytes& registers, std::uint64_t address = 0,
                       const bytes& memory = {}) {
    bytes out = number(memory.empty() ? 0 : 1) + number(memory.empty() ? 16 : 40);
    if (!memory.empty()) out += number(address) + number(memory.size()) + number(40 + tiny_dump);
    return out + registers + memory;
  }
  static bytes number(std::uint64_t n) {
    bytes b(8);
    wire::u64le::store(n, b.data());
    return b;
  }
  void module(std::uint64_t first, std::uint64_t last) {
    bytes row(48);
    umtracer::module_codec::encode({0, -1, first, last, {}, {}}, row);
    modules_ += row;
  }
  [[nodiscard]] std::vector<umtracer::neighbours>& neighbours() { return neighbours_; }

  // Returns a reader of the trace, valid as long as this object exists and does not change.
  [[nodiscard]] umtracer::reader open() {
    umtracer::trace_files::contents all{};
    const auto put = [&](umtracer::file f, bytes content) {
      bytes& kept = files_[static_cast<std::size_t>(f)];
      kept = std::move(content);
      all[static_cast<std::size_t>(f)] = std::span<const std::byte>(kept);
    };
    bytes offsets, neighbours;
    for (const std::uint64_t o : offsets_) offsets += number(o);
    offsets += number(16 + records_.size());
    for (const auto n : neighbours_)
      neighbours += number(static_cast<std::uint64_t>(n.previous)) +
                    number(static_cast<std::uint64_t>(n.next));
    put(umtracer::file::exec_records, number(1) + number(neighbours_.size()) + records_);
    put(umtracer::file::exec_offsets, offsets);
    put(umtracer::file::exec_neighbours, neighbours);
    put(umtracer::file::instructions, instruction_table());
    put(umtracer::file::modules,
        table(modules_.size() / 48, 48, 48) + number(48 + modules_.size()) + number(0) + modules_);
    put(umtracer::file::threads, table(0, 40, 32));
    put(umtracer::file::address_ranges, table(0, 16, 32));
    put(umtracer::file::context_map, context_map());
    put(umtracer::file::syscall_records, bytes(16));
    put(umtracer::file::syscall_offsets, {});
    return umtracer::reader(umtracer::trace_files(all, "tiny"));
  }

 private:
  static bytes table(std::uint64_t rows, std::uint64_t row_size, std::uint64_t at) {
    return number(0) + number(rows) + number(row_size) + number(at);
  }

  bytes instruction_table() const {
    bytes rows, extra;
    for (const instruction& i : instructions_) {
      bytes row(64);
      umtracer::instruction_codec::encode({0,
                                           i.type,
                                           1,
                                           1,
                                           i.module,
                                           i.address,
                                           {},
                                           {i.disassembly},
                                           {static_cast<std::int64_t>(extra.size())}},
                                          row);
      rows += row;
      extra += decoded(i);
    }
    return table(instructions_.size(), 64, 48) + number(48 + rows.size()) + number(extra.size()) +
           rows + extra;
  }
  static bytes decoded(const instruction& i) {
    bytes slots;
    std::uint16_t at = 0;
    for (const auto* part : {&i.in, &i.before, &i.after})
      for (const operand& o : *part) {
        bytes s(12);
        const umtracer::slot slot{o.name, 0, o.size, at, std::uint8_t(o.memory ? 8 : 0)};
        umtracer::slot_codec::encode(slot, s);
        at = static_cast<std::uint16_t>(slot.end());
        slots += s;
      }
    bytes front(88);
    const auto set = [&](std::size_t where, std::size_t v) { front[where] = std::byte(v); };
    set(6, i.flags);
    set(58, at & 0xFFU);
    set(59, at >> 8U);
    set(60, i.in.size());
    set(61, i.in.size() + i.before.size());
    set(62, i.in.size() + i.before.size() + i.after.size());
    return front + slots;
  }
  static bytes context_map() {
    struct row {
      std::string_view name;
      std::uint16_t offset;
      std::uint8_t size;
      std::uint16_t largest;
    };
    static constexpr std::array<row, regs::count> rows{{{"INVALID", 0xFFFF, 0, 0},
                                                        {"AL", 0, 1, regs::rax},
                                                        {"AH", 1, 1, regs::rax},
                                                        {"AX", 0, 2, regs::rax},
                                                        {"EAX", 0, 4, regs::rax},
                                                        {"RAX", 0, 8, regs::rax},
                                                        {"ECX", 8, 4, regs::rcx},
                                                        {"RCX", 8, 8, regs::rcx},
                                                        {"EIP", 16, 4, regs::rip},
                                                        {"RIP", 16, 8, regs::rip},
                                                        {"EFLAGS", 24, 4, regs::rflags},
                                                        {"RFLAGS", 24, 8, regs::rflags},
                                                        {"XMM0", 32, 16, regs::ymm0},
                                                        {"YMM0", 32, 32, regs::ymm0},
                                                        {"ST0", 64, 10, regs::st0},
                                                        {"ST1", 80, 10, regs::st1},
                                                        {"MMX1", 64, 8, regs::st0},
                                                        {"X87PUSH", 0xFFFF, 0, 0}}};
    bytes out(umtracer::context_map_size);
    umtracer::context_header_codec::encode({tiny_dump, regs::count}, out);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const row& r = rows[i];
      std::memcpy(out.data() + umtracer::name_offset + 16 * i, r.name.data(), r.name.size());
      for (const std::size_t map : {umtracer::map32_offset, umtracer::map64_offset})
        umtracer::register_info_codec::encode({r.offset, r.size, r.largest},
                                              std::span(out).subspan(map + 8 * i, 8));
    }
    return out;
  }

  std::vector<instruction> instructions_ = {};
  std::vector<std::uint64_t> offsets_ = {};
  std::vector<umtracer::neighbours> neighbours_ = {};
  std::map<std::uint32_t, std::int64_t> last_ = {};
  bytes records_ = {}, modules_ = {};
  std::array<bytes, umtracer::file_count> files_ = {};
};

}  // namespace test
