// Where a program's modules lay and what its code is called: an address as module and offset, and as
// symbol and offset.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../config.hpp"

namespace tracecodec {

// A program, or a library, where it lay.
struct program_module {
  std::uint64_t base = 0;  // its lowest address
  std::uint64_t size = 0;  // bytes, up to the end of its last part
  std::string path = {};
  std::string build_id = {};  // hexadecimal digits; empty if it has none

  [[nodiscard]] constexpr bool has(std::uint64_t address) const noexcept {
    return address >= base && address - base < size;
  }
  // The last part of its path, of either system's.
  [[nodiscard]] std::string_view name() const noexcept {
    const std::string_view all = path;
    return all.substr(all.find_last_of("/\\") + 1);  // npos + 1 is 0
  }
};

// A function, or another place of the code that has a name.
struct program_symbol {
  std::uint64_t address = 0;
  std::uint64_t size = 0;  // bytes; 0: up to the next one
  std::string name = {};
};

// What is known of an address: null if it is not.
struct program_place {
  const program_module* module = nullptr;
  const program_symbol* symbol = nullptr;
  std::uint64_t module_offset = 0, symbol_offset = 0;
};

class program_map {
 public:
  // So far a symbol without a size reaches where no other follows.
  static constexpr std::uint64_t longest_unsized = std::uint64_t{1} << 20;

  program_map() = default;
  // Of modules that overlap the one that begins last has the address; of those that begin at the
  // same one the first.
  explicit program_map(std::vector<program_module> modules,
                       std::vector<program_symbol> symbols = {});

  // More symbols. Of several at one address one counts: one with a size, the one with the fewest
  // underscores at its front, the shortest.
  void add(std::vector<program_symbol> more);

  // The number of the trace's first instruction of which this is true: before it another program ran
  // in the same process (exec).
  [[nodiscard]] std::uint64_t from() const noexcept { return from_; }
  void set_from(std::uint64_t instruction) noexcept { from_ = instruction; }

  [[nodiscard]] bool empty() const noexcept { return modules_.empty() && symbols_.empty(); }
  // By their addresses.
  [[nodiscard]] const std::vector<program_module>& modules() const noexcept { return modules_; }
  [[nodiscard]] const std::vector<program_symbol>& symbols() const noexcept { return symbols_; }

  // The module whose file has this name, or path; null if there is none.
  [[nodiscard]] const program_module* named(std::string_view name) const noexcept;

  // The first symbol of this name, with its size, also where that was not told; nullopt if there is
  // none.
  [[nodiscard]] std::optional<program_symbol> symbol(std::string_view name) const;

  // O(log n). Valid as long as this is not changed.
  [[nodiscard]] program_place at(std::uint64_t address) const noexcept;
  // The same of the address of an instruction of this number.
  [[nodiscard]] program_place at(std::uint64_t address, std::uint64_t instruction) const noexcept {
    return instruction < from_ ? program_place{} : at(address);
  }

 private:
  std::vector<program_module> modules_ = {};
  std::vector<program_symbol> symbols_ = {};
  std::uint64_t from_ = 0;
};

// Where the map of a trace is looked for: x.trace64.maps.json for x.trace64, and for x.trace64.xz or
// another suffix that io::codec_of_suffix() knows.
TRACECODEC_FUNC std::string maps_path(std::string_view trace_path);

}  // namespace tracecodec

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/map.ipp"
#endif
