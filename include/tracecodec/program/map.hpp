// Map of a program's modules and symbols. It resolves an address to a module and an offset,
// and to a symbol and an offset.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../config.hpp"

namespace tracecodec {

// Program or library, with its address in a process.
struct program_module {
  std::uint64_t base = 0;  // lowest address
  std::uint64_t size = 0;  // number of bytes from `base` to the end of the last segment
  std::string path = {};
  std::string build_id = {};  // hexadecimal digits, or empty if there is no build id

  [[nodiscard]] constexpr bool has(std::uint64_t address) const noexcept {
    return address >= base && address - base < size;
  }
  // Returns the last component of the path, which may be a POSIX or a Windows path.
  [[nodiscard]] std::string_view name() const noexcept {
    const std::string_view all = path;
    return all.substr(all.find_last_of("/\\") + 1);  // npos + 1 is 0
  }
};

// Function, or another named position in code.
struct program_symbol {
  std::uint64_t address = 0;
  std::uint64_t size = 0;  // size in bytes, or 0 if the symbol extends to the next symbol
  std::string name = {};
};

// Module and symbol of an address. A pointer is null if the module or symbol is unknown.
struct program_place {
  const program_module* module = nullptr;
  const program_symbol* symbol = nullptr;
  std::uint64_t module_offset = 0, symbol_offset = 0;
};

class program_map {
 public:
  // Assumed maximum size in bytes of a symbol whose size is unknown.
  static constexpr std::uint64_t longest_unsized = std::uint64_t{1} << 20;

  program_map() = default;
  // Creates a map. If modules overlap, an address can belong only to the last module that begins at
  // or before the address. If several modules begin at one address, only the first of these modules
  // is kept.
  explicit program_map(std::vector<program_module> modules,
                       std::vector<program_symbol> symbols = {});

  // Adds symbols, and keeps only one symbol for each address. A symbol with a size is
  // preferred, then a name with fewer leading underscores, then a shorter name.
  void add(std::vector<program_symbol> more);

  // Returns the number of the first instruction for which the map is valid. Earlier instructions of
  // the trace belong to a program that the process ran before exec().
  [[nodiscard]] std::uint64_t from() const noexcept { return from_; }
  void set_from(std::uint64_t instruction) noexcept { from_ = instruction; }

  [[nodiscard]] bool empty() const noexcept { return modules_.empty() && symbols_.empty(); }
  // Returns the modules, sorted by address.
  [[nodiscard]] const std::vector<program_module>& modules() const noexcept { return modules_; }
  [[nodiscard]] const std::vector<program_symbol>& symbols() const noexcept { return symbols_; }

  // Returns the module whose file has the name or path `name`, or null if there is no such module.
  [[nodiscard]] const program_module* named(std::string_view name) const noexcept;

  // Returns the first symbol called `name`, or nullopt if there is no such symbol. If the size of
  // the symbol is unknown, the function estimates the size.
  [[nodiscard]] std::optional<program_symbol> symbol(std::string_view name) const;

  // Returns the module and the symbol of an address, in O(log n). The pointers are valid until
  // the map changes.
  [[nodiscard]] program_place at(std::uint64_t address) const noexcept;
  // Returns the module and the symbol of `address`, which belongs to instruction number
  // `instruction`. Both are null if the map is not valid for that instruction.
  [[nodiscard]] program_place at(std::uint64_t address, std::uint64_t instruction) const noexcept {
    return instruction < from_ ? program_place{} : at(address);
  }

 private:
  std::vector<program_module> modules_ = {};
  std::vector<program_symbol> symbols_ = {};
  std::uint64_t from_ = 0;
};

// Returns the path of a trace's map, such as x.trace64.maps.json for x.trace64. The suffix of a
// compression, such as .xz, is removed first.
TRACECODEC_FUNC std::string maps_path(std::string_view trace_path);

}  // namespace tracecodec

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/map.ipp"
#endif
