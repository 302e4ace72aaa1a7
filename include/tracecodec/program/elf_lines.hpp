// Reads the source lines of an ELF file from its debug information with libdw of elfutils
// (TRACECODEC_WITH_LIBDW, -ldw).
#pragma once
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "elf_module.hpp"
#include "map.hpp"
#include "source_lines.hpp"

namespace tracecodec {

// Returns the source lines and the functions of module `m`, whose path names an ELF file. The
// result is empty if the file is not an ELF file or lacks debug information. Code that belongs to
// no line is left out, and so are the inlined copies of a function.
inline source_lines read_elf_lines(const program_module& m);

namespace detail {

// Collector of the lines and functions of one module.
class elf_line_collector {
 public:
  explicit elf_line_collector(const program_module& m) : module_(&m) {}

  void add_unit(Dwarf_Die& unit, Dwarf_Addr bias) {
    bias_ = bias;
    add_lines(unit);
    dwarf_getfuncs(
        &unit,
        [](Dwarf_Die* function, void* to) {
          static_cast<elf_line_collector*>(to)->add_function(*function);
          return static_cast<int>(DWARF_CB_OK);
        },
        this, 0);
  }
  [[nodiscard]] source_lines take() { return std::move(found_); }

 private:
  void add_lines(Dwarf_Die& unit) {
    Dwarf_Lines* lines = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(&unit, &lines, &count) != 0) return;
    // A row extends to the next one, and the rows of a sequence end with a row that has no code.
    source_line last{};
    for (std::size_t i = 0; i != count; ++i) {
      Dwarf_Line* const row = dwarf_onesrcline(lines, i);
      Dwarf_Addr address = 0;
      int line = 0;
      bool is_end = true;
      if (row == nullptr || dwarf_lineaddr(row, &address) != 0 || dwarf_lineno(row, &line) != 0 ||
          dwarf_lineendsequence(row, &is_end) != 0)
        break;
      address += bias_;
      // The linker moves the lines of code that it removes to an address outside the module.
      if (last.line != 0 && last.address < address && module_->has(last.address)) {
        last.end = std::min(address, module_->base + module_->size);
        found_.lines.push_back(last);
      }
      const char* const path = dwarf_linesrc(row, nullptr, nullptr);
      last = {};
      if (is_end || line <= 0 || path == nullptr) continue;
      last.address = address;
      last.file = file_of(path);
      last.line = static_cast<std::uint32_t>(line);
    }
  }

  void add_function(Dwarf_Die& function) {
    Dwarf_Addr address = 0;
    int line = 0;
    // Declarations and functions that are only inlined have no address.
    if (dwarf_entrypc(&function, &address) != 0 || dwarf_decl_line(&function, &line) != 0) return;
    address += bias_;
    const char* const path = dwarf_decl_file(&function);
    if (line <= 0 || path == nullptr || !module_->has(address)) return;
    Dwarf_Attribute attribute{};
    const char* name =
        dwarf_formstring(dwarf_attr_integrate(&function, DW_AT_linkage_name, &attribute));
    if (name == nullptr) name = dwarf_diename(&function);
    if (name == nullptr) return;
    found_.functions.push_back({address, file_of(path), static_cast<std::uint32_t>(line), name});
  }

  std::uint32_t file_of(std::string_view path) {
    const auto [at, is_new] =
        files_.try_emplace(std::string(path), static_cast<std::uint32_t>(found_.files.size()));
    if (is_new) found_.files.push_back(at->first);
    return at->second;
  }

  const program_module* module_;
  Dwarf_Addr bias_ = 0;  // distance from addresses in the file to those in the process
  source_lines found_ = {};
  std::map<std::string, std::uint32_t> files_ = {};
};

}  // namespace detail

inline source_lines read_elf_lines(const program_module& m) {
  const elf_module file(m);
  detail::elf_line_collector all(m);
  if (file.get() == nullptr) return {};
  Dwarf_Addr bias = 0;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(file.get(), unit, &bias)) != nullptr;)
    all.add_unit(*unit, bias);
  return all.take();
}

}  // namespace tracecodec
