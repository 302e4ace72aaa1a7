// Small valid trace, as eleven files in memory, in which a test can damage every field. It has
// records of every type, two threads, two system calls, and an instruction with a memory operand.
#pragma once
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "support.hpp"

namespace test {

// Encodes numbers of the given sizes in bytes as consecutive little-endian fields.
inline bytes fields(std::initializer_list<std::pair<std::uint64_t, std::size_t>> list) {
  bytes all;
  for (const auto& [value, size] : list)
    for (std::size_t i = 0; i < size; ++i)
      all.push_back(static_cast<std::byte>(i < 8 ? value >> 8 * i : 0));
  return all;
}
inline constexpr std::uint64_t minus_one = ~std::uint64_t{0};

// Returns a recognisable byte pattern: 1, 2, 3 ...
inline bytes counting(std::size_t n, unsigned from = 1) {
  bytes all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<std::byte>(from + i);
  return all;
}
inline bytes ascii(std::string_view s) {
  bytes all;
  for (const char c : s) all.push_back(static_cast<std::byte>(c));
  return all;
}
// Encode a cStr and a uStr.
inline bytes c_str(std::string_view s) {
  return fields({{s.size(), 2}}) + ascii(s) + fields({{0, 1}});
}
inline bytes u_str(std::string_view s) {
  bytes all = fields({{s.size(), 2}});
  for (const char c : s) all += fields({{static_cast<unsigned char>(c), 2}});
  return all + fields({{0, 2}});
}

// Returns the decodedIns of `add word ptr [esi+8], ax`, the example of the missing
// figure 3: 160 bytes.
inline bytes golden_decoded() {
  bytes d = fields({{1, 2}, {2, 2}, {3, 2}, {0x30, 1}, {2, 1}});
  // RegName, Size, Flags, BeforeSlot, AfterSlot, BeforeOffset, AfterOffset, padding
  d += fields({{0xFFFF, 2}, {2, 2}, {3, 1}, {2, 1}, {4, 1}, {8, 1}, {8, 1}, {0xCC, 3}});
  d += fields({{3, 2}, {2, 2}, {1, 1}, {1, 1}, {0xFF, 1}, {0, 1}, {0, 1}, {0xCC, 3}});
  d += bytes(24);
  // EffOperSize, EffAddrSize, LCSize, FirstOutSlot, FirstAfterSlot, LCCount
  d += fields({{2, 1}, {4, 1}, {34, 2}, {3, 1}, {4, 1}, {6, 1}});
  // MEM0's segment, base, scale and index; MEM1's base; padding; constants
  d += fields({{0xFF, 1}, {0, 1}, {0, 1}, {0xFF, 1}, {0xFF, 1}, {0xCC, 4}, {8, 8}, {0, 8}});
  // RegName, CommonRegName, ValueSize, Offset, AddrWidth, padding
  d += fields({{4, 2}, {4, 2}, {4, 2}, {10, 2}, {0, 1}, {0xCC, 3}});            // esi
  d += fields({{3, 2}, {3, 2}, {2, 2}, {14, 2}, {0, 1}, {0xCC, 3}});            // ax
  d += fields({{0xFFFF, 2}, {0xFFFF, 2}, {2, 2}, {0, 2}, {4, 1}, {0xCC, 3}});   // MEM0
  d += fields({{5, 2}, {5, 2}, {4, 2}, {16, 2}, {0, 1}, {0xCC, 3}});            // flags
  d += fields({{0xFFFF, 2}, {0xFFFF, 2}, {2, 2}, {20, 2}, {4, 1}, {0xCC, 3}});  // MEM0 after
  d += fields({{5, 2}, {5, 2}, {4, 2}, {30, 2}, {0, 1}, {0xCC, 3}});            // flags after
  return d;
}
// Returns the values of its operands: [0x200028] was 0x1111, ax 0x2222, the sum 0x3333.
inline bytes golden_values() {
  return fields({{0x200028, 8}, {0x1111, 2}, {0x200020, 4}, {0x2222, 2}, {0x246, 4}}) +
         fields({{0x200028, 8}, {0x3333, 2}, {0x202, 4}});
}

// Returns an rmContext with `registers` first, followed by `memory` at `address`, if any.
inline bytes context_of(const bytes& registers, std::uint64_t address = 0,
                        const bytes& memory = {}) {
  const std::size_t rows = memory.empty() ? 0 : 1, front = 16 + 24 * rows;
  bytes c = fields({{rows, 4}, {0xCC, 4}, {front, 8}});
  if (rows != 0) c += fields({{address, 8}, {memory.size(), 8}, {front + registers.size(), 8}});
  return c + registers + memory;
}

class tiny_trace {
 public:
  using file = umtracer::file;

  // Offsets in the files.
  static constexpr std::size_t ins_row = 48, ins_row_size = 64, extra = ins_row + 2 * ins_row_size;
  static constexpr std::size_t text = extra, decoded = extra + 64, slots = decoded + 88;
  static constexpr std::size_t module_row = 48, module_extra = module_row + 64;
  static constexpr std::size_t thread_row = 32, thread_row_size = 48;
  static constexpr std::size_t range_row = 32, range_row_size = 16;
  static constexpr std::size_t syscall_row = 16, syscall_size = 56 + 16 + 3;
  static constexpr std::size_t dump_size = 24, register_count = 6;

  tiny_trace() {
    (*this)[file::context_map] = context_map();
    (*this)[file::instructions] = instructions();
    (*this)[file::modules] = modules();
    // ID, WinTID, TIBAddr, FirstEID, LastEID, RecCount, and 8 more bytes
    (*this)[file::threads] =
        fields({{0, 4}, {0, 4}, {2, 8}, {thread_row_size, 8}, {thread_row, 8}}) +
        fields({{5, 4}, {1005, 4}, {0x7000, 8}, {0, 8}, {14, 8}, {8, 8}, {0xCC, 8}}) +
        fields({{9, 4}, {1009, 4}, {0x8000, 8}, {3, 8}, {minus_one, 8}, {8, 8}, {0xCC, 8}});
    (*this)[file::address_ranges] =
        fields({{0, 4}, {0, 4}, {2, 8}, {range_row_size, 8}, {range_row, 8}}) +
        fields({{0x1000, 8}, {0x1FFF, 8}, {0x3000, 8}, {0x4FFF, 8}});
    system_calls();
    (*this)[file::xml] = ascii("<Xed><Version>20150121</Version></Xed>");
    execution();
  }

  bytes& operator[](file f) { return content_[static_cast<std::size_t>(f)]; }
  void remove(file f) { missing_[static_cast<std::size_t>(f)] = true; }
  // Stores a number of `size` bytes.
  void put(file f, std::uint64_t at, std::uint64_t value, std::size_t size = 8) {
    const bytes n = fields({{value, size}});
    std::copy(n.begin(), n.end(), (*this)[f].begin() + static_cast<std::ptrdiff_t>(at));
  }
  // Returns the offset of record `i` in exec.vtable. Its data begins 6 bytes later.
  [[nodiscard]] std::size_t record(std::size_t i) const { return offsets_.at(i); }
  [[nodiscard]] std::size_t record_count() const { return offsets_.size() - 1; }

  // Returns views into this object.
  [[nodiscard]] umtracer::trace_files files() const {
    umtracer::trace_files::contents all;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!missing_[i]) all[i] = content_[i];
    return {all, "tiny"};
  }
  [[nodiscard]] umtracer::reader open(bool lenient = false) const {
    return umtracer::reader(files(), {.lenient = lenient});
  }

 private:
  static bytes context_map() {
    struct entry {
      const char* name;
      std::uint64_t common, largest, offset, size;
    };
    constexpr std::array<entry, register_count> registers{{{"INVALID", 0, 0, 0xFFFF, 0},
                                                           {"RAX", 3, 1, 0, 8},
                                                           {"EAX", 3, 1, 0, 4},
                                                           {"AX", 3, 1, 0, 2},
                                                           {"ESI", 4, 4, 8, 4},
                                                           {"EFLAGS", 5, 5, 16, 8}}};
    bytes all = fields({{dump_size, 2}, {registers.size(), 2}, {0xCC, 12}});
    all.resize(17424);
    const auto store = [&all](std::size_t at, const bytes& b) {
      std::copy(b.begin(), b.end(), all.begin() + static_cast<std::ptrdiff_t>(at));
    };
    for (std::size_t i = 0; i < registers.size(); ++i) {
      const entry& r = registers[i];
      store(16 + 2 * i, fields({{r.common, 2}}));
      store(1040 + 16 * i, ascii(r.name));
      for (const std::size_t map : {9232U, 13328U})
        store(map + 8 * i, fields({{r.offset, 2}, {r.size, 1}, {0xCC, 1}, {r.largest, 2}}));
    }
    return all;
  }

  static bytes instructions() {
    bytes texts = c_str("add word ptr [esi+8], ax") + c_str("sysenter");
    texts.resize(decoded - extra);
    bytes sysenter(88);
    for (const std::size_t none : {63U, 64U, 66U, 67U}) sysenter[none] = std::byte{0xFF};
    const bytes area = texts + golden_decoded() + sysenter;
    bytes all = fields({{0, 4}, {1, 4}, {2, 8}, {ins_row_size, 8}, {ins_row, 8}});
    all += fields({{extra, 8}, {area.size(), 8}});
    // ID, Type, CSis64Bits, CodeSize, padding, ModuleID, Address, CodeBytes
    all += fields({{0, 8}, {0, 1}, {0, 1}, {4, 1}, {0xCC, 1}, {0, 4}, {0x400010, 8}});
    all += from_hex("66 01 46 08") + counting(12) + fields({{0, 8}, {decoded - extra, 8}, {0, 8}});
    all += fields({{1, 8}, {2, 1}, {0, 1}, {2, 1}, {0xCC, 1}, {minus_one, 4}, {0x500000, 8}});
    all += from_hex("0f 34") + counting(14);
    all += fields({{27, 8}, {decoded - extra + golden_decoded().size(), 8}, {0, 8}});
    return all + area;
  }

  static bytes modules() {
    const bytes win = u_str("C:\\a.exe"), device = u_str("\\Device\\a.exe");
    return fields({{0, 4}, {0, 4}, {1, 8}, {64, 8}, {module_row, 8}}) +
           fields({{module_extra, 8}, {win.size() + device.size(), 8}}) +
           // LoadEID, UnloadEID, StartAddr, EndAddr, names, time, version
           fields({{0, 8}, {minus_one, 8}, {0x400000, 8}, {0x400FFF, 8}}) +
           fields({{module_extra, 8}, {module_extra + win.size(), 8}}) +
           fields({{0x1D0000000000000, 8}, {6, 2}, {1, 2}, {7601, 2}, {18000, 2}}) + win + device;
  }

  void system_calls() {
    // RawID, UniformID, Convention, Completed, ArgCount, ExtraCount, BeginEID, EndEID, BeforeSP,
    // Result, ArgsFP, ExtrasFP
    (*this)[file::syscall_records] =
        fields({{0, 4}, {1, 4}, {2, 8}}) +
        fields({{100, 2}, {200, 2}, {1, 1}, {1, 1}, {2, 1}, {1, 1}, {2, 8}, {4, 8}}) +
        fields({{0x12FF00, 8}, {0xC0000005, 8}, {56, 8}, {72, 8}, {0x11, 8}, {0x22, 8}}) +
        counting(3) + fields({{101, 2}, {201, 2}, {1, 1}, {0, 1}, {0, 1}, {0, 1}, {5, 8}, {6, 8}}) +
        fields({{0x13FF00, 8}, {0, 8}, {56, 8}, {56, 8}});
    (*this)[file::syscall_offsets] =
        fields({{syscall_row, 8}, {syscall_size, 8}, {syscall_row + syscall_size, 8}, {56, 8}});
  }

  void execution() {
    const bytes context = context_of(counting(dump_size));
    const auto call = [](std::uint64_t id) { return fields({{id, 8}}); };
    add(5, 1, context_of(counting(dump_size), 0x7000, counting(16, 0x80)));
    add(5, 0, fields({{0, 8}}) + golden_values());
    add(5, 4, call(0) + context);
    add(9, 1, context_of(counting(dump_size), 0x8000, counting(16, 0x90)));
    add(5, 5, call(0) + context);
    add(9, 4, call(1) + context);
    add(9, 6, call(1));
    add(9, 8, context);
    add(9, 9, context);
    add(9, 10, context);
    add(9, 11, context);
    add(5, 7, counting(3));
    add(5, 12, {});
    add(5, 5, call(minus_one) + context + bytes(5, std::byte{0xEE}));
    add(5, 2, fields({{7, 4}}));
    add(9, 3, fields({{42, 4}}));
    offsets_.push_back((*this)[file::exec_records].size());
    for (const std::size_t o : offsets_) (*this)[file::exec_offsets] += fields({{o, 8}});
    link({0, 1, 2, 4, 11, 12, 13, 14});
    link({3, 5, 6, 7, 8, 9, 10, 15});
    put(file::exec_records, 8, record_count());
  }
  void add(std::uint64_t thread, std::uint64_t type, const bytes& data) {
    bytes& all = (*this)[file::exec_records];
    if (all.empty()) all = fields({{1, 4}, {0xCC, 4}, {0, 8}});
    offsets_.push_back(all.size());
    all += fields({{thread, 4}, {type, 1}, {0, 1}}) + data;
  }
  // Writes previous and next of a thread's records.
  void link(const std::vector<std::uint64_t>& ids) {
    (*this)[file::exec_neighbours].resize(16 * record_count());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      put(file::exec_neighbours, 16 * ids[i], i == 0 ? minus_one : ids[i - 1]);
      put(file::exec_neighbours, 16 * ids[i] + 8, i + 1 == ids.size() ? minus_one : ids[i + 1]);
    }
  }

  std::array<bytes, umtracer::file_count> content_ = {};
  std::array<bool, umtracer::file_count> missing_ = {};
  std::vector<std::size_t> offsets_ = {};
};

}  // namespace test
