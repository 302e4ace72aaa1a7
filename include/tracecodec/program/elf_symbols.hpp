// Reads the functions and the build id of an ELF file with libdw of elfutils
// (TRACECODEC_WITH_LIBDW, -ldw).
#pragma once
#include <elfutils/libdwfl.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../rows/numbers.hpp"
#include "elf_module.hpp"
#include "map.hpp"

namespace tracecodec {

// Reads the ELF file at the path of module `m`, and stores the file's build id in `m`. Appends
// functions and untyped symbols to `to`, with their addresses in the process, if wanted(address,
// size) returns true. Does nothing if the file is not an ELF file.
inline void read_elf_symbols(program_module& m,
                             const std::function<bool(std::uint64_t, std::uint64_t)>& wanted,
                             std::vector<program_symbol>& to) {
  const elf_module file(m);
  Dwfl_Module* const module = file.get();
  if (module == nullptr) return;

  const int count = dwfl_module_getsymtab(module);
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol{};
    GElf_Addr address = 0;
    GElf_Word section = 0;
    const char* const name =
        dwfl_module_getsym_info(module, i, &symbol, &address, &section, nullptr, nullptr);
    const unsigned type = GELF_ST_TYPE(symbol.st_info);
    const bool code = type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
    if (name == nullptr || !code || section == SHN_UNDEF || section == SHN_ABS) continue;
    const std::string_view text = name;
    if (text.empty() || text.starts_with(".L") || text.starts_with('$')) continue;
    if (!m.has(address) || !wanted(address, symbol.st_size)) continue;
    const std::uint64_t most = m.size - (address - m.base);
    to.push_back({address, symbol.st_size < most ? symbol.st_size : most, std::string(text)});
  }
  const unsigned char* id = nullptr;
  GElf_Addr where = 0;
  const int size = dwfl_module_build_id(module, &id, &where);
  if (size > 0 && id != nullptr) {
    m.build_id.clear();
    rows::add_bytes(m.build_id, std::as_bytes(std::span(id, static_cast<std::size_t>(size))));
  }
}

}  // namespace tracecodec
