// Implements analysis/export/drcov.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <map>

#include "../../../io/error.hpp"
#include "../../../io/text/utf8.hpp"
#include "../../../rows/numbers.hpp"
#include "../drcov.hpp"

namespace tracecodec::analysis {

TRACECODEC_FUNC std::vector<program_module> modules_around(std::span<const executed_block> blocks,
                                                           const std::string& path) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  std::vector<executed_block> sorted(blocks.begin(), blocks.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.address < b.address; });
  std::vector<program_module> all;
  for (const executed_block& b : sorted) {
    if (all.empty() || b.address - all.back().base >= most)
      all.push_back({.base = b.address, .size = 0, .path = path});
    program_module& m = all.back();
    // No module contains the last byte of the address space.
    const std::uint64_t offset = b.address - m.base;
    m.size = std::max(m.size, offset + std::min(b.size, ~std::uint64_t{0} - b.address));
  }
  // Readers treat modules with the same name as one.
  if (all.size() > 1)
    for (program_module& m : all) rows::add_hex(m.path += '@', m.base);
  return all;
}

namespace detail {
// Entries of a block in a drcov file.
struct drcov_entries {
  const program_module* module;
  std::uint64_t start, size;
};
// Returns the part of a block that drcov can describe, with no module if there is none.
TRACECODEC_FUNC drcov_entries drcov_entries_of(const program_map& map, const executed_block& b) {
  const program_place place = map.at(b.address);
  if (place.module == nullptr || place.module_offset >> 32 != 0) return {nullptr, 0, 0};
  const std::uint64_t end = std::min<std::uint64_t>(place.module->size, std::uint64_t{1} << 32);
  return {place.module, place.module_offset, std::min(b.size, end - place.module_offset)};
}
}  // namespace detail

TRACECODEC_FUNC std::size_t write_drcov(io::sink& to, const program_map& map,
                                        std::span<const executed_block> blocks) {
  constexpr std::uint64_t most = 0xffff;
  std::map<const program_module*, std::uint16_t> numbers;
  std::uint64_t entries = 0;
  std::size_t left_out = 0;
  for (const executed_block& b : blocks) {
    const detail::drcov_entries e = detail::drcov_entries_of(map, b);
    if (e.module == nullptr) {
      ++left_out;
      continue;
    }
    numbers.try_emplace(e.module);
    entries += (e.size + most - 1) / most;
  }
  // The last number means that a block is in no module.
  if (numbers.size() > most)
    throw trace_error(trace_errc::refused, {},
                      "drcov files have at most 65535 modules: select a part of the trace");

  std::string text = "DRCOV VERSION: 2\nDRCOV FLAVOR: drcov\nModule Table: version 2, count ";
  rows::add_number(text, numbers.size());
  text += "\nColumns: id, base, end, entry, path\n";
  std::uint16_t next = 0;
  for (auto& [module, number] : numbers) {
    number = next++;
    const std::string id = std::to_string(number);
    text.append(id.size() < 3 ? 3 - id.size() : 0, ' ') += id;
    for (const std::uint64_t address :
         {module->base, module->base + module->size, std::uint64_t{0}})
      rows::add_hex(text += ", ", address, 16);
    io::add_shown(text += ", ", module->path);
    text += '\n';
  }
  text += "BB Table: ";
  rows::add_number(text, entries);
  text += " bbs\n";
  to.write(std::as_bytes(std::span<const char>(text)));

  std::vector<std::byte> bytes;
  bytes.reserve(std::size_t{1} << 16);
  for (const executed_block& b : blocks) {
    detail::drcov_entries e = detail::drcov_entries_of(map, b);
    if (e.module == nullptr) continue;
    for (std::uint64_t size = 0; e.size != 0; e.start += size, e.size -= size) {
      size = std::min(e.size, most);
      std::array<std::byte, drcov_block_codec::size> entry{};
      drcov_block_codec::encode({static_cast<std::uint32_t>(e.start),
                                 static_cast<std::uint16_t>(size), numbers[e.module]},
                                entry);
      if (bytes.size() + entry.size() > bytes.capacity()) {
        to.write(bytes);
        bytes.clear();
      }
      bytes.insert(bytes.end(), entry.begin(), entry.end());
    }
  }
  to.write(bytes);
  return left_out;
}

TRACECODEC_FUNC std::size_t write_module_offsets(
    io::text_output& to, const program_map& map,
    std::span<const executed_instruction> instructions) {
  std::size_t left_out = 0;
  for (const executed_instruction& i : instructions) {
    const program_place place = map.at(i.address);
    if (place.module == nullptr) {
      ++left_out;
      continue;
    }
    io::add_shown(to.text(), place.module->name());
    to.text() += '+';
    std::array<char, 16> digits{};
    const char* const end =
        std::to_chars(digits.data(), digits.data() + digits.size(), place.module_offset, 16).ptr;
    to.text().append(digits.data(), static_cast<std::size_t>(end - digits.data())) += '\n';
    to.end_record();
  }
  return left_out;
}

}  // namespace tracecodec::analysis
