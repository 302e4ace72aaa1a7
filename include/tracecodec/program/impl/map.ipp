// Implementation of program/map.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../io/compression/codec.hpp"
#include "../../io/os/path.hpp"
#include "../map.hpp"

namespace tracecodec {

TRACECODEC_FUNC program_map::program_map(std::vector<program_module> modules,
                                         std::vector<program_symbol> symbols) {
  std::map<std::uint64_t, program_module> by_base;
  for (program_module& m : modules) by_base.try_emplace(m.base, std::move(m));
  for (auto& [base, m] : by_base) modules_.push_back(std::move(m));
  add(std::move(symbols));
}

TRACECODEC_FUNC void program_map::add(std::vector<program_symbol> more) {
  std::move(more.begin(), more.end(), std::back_inserter(symbols_));
  const auto rank = [](const program_symbol& s) {
    return std::pair(s.size == 0, std::min(s.name.find_first_not_of('_'), s.name.size()));
  };
  std::sort(symbols_.begin(), symbols_.end(), [&](const auto& a, const auto& b) {
    if (a.address != b.address) return a.address < b.address;
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    if (a.name.size() != b.name.size()) return a.name.size() < b.name.size();
    return a.name < b.name;
  });
  symbols_.erase(std::unique(symbols_.begin(), symbols_.end(),
                             [](const auto& a, const auto& b) { return a.address == b.address; }),
                 symbols_.end());
}

TRACECODEC_FUNC const program_module* program_map::named(std::string_view name) const noexcept {
  for (const program_module& m : modules_)
    if (m.path == name || m.name() == name) return &m;
  return nullptr;
}

TRACECODEC_FUNC std::optional<program_symbol> program_map::symbol(std::string_view name) const {
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    if (symbols_[i].name != name) continue;
    program_symbol s = symbols_[i];
    if (s.size != 0) return s;
    s.size = std::min(longest_unsized, ~s.address);
    if (i + 1 < symbols_.size()) s.size = std::min(s.size, symbols_[i + 1].address - s.address);
    if (const program_module* m = at(s.address).module)
      s.size = std::min(s.size, m->size - (s.address - m->base));
    return s;
  }
  return std::nullopt;
}

TRACECODEC_FUNC program_place program_map::at(std::uint64_t address) const noexcept {
  program_place p;
  const auto module =
      std::upper_bound(modules_.begin(), modules_.end(), address,
                       [](std::uint64_t a, const program_module& m) { return a < m.base; });
  if (module != modules_.begin() && std::prev(module)->has(address)) {
    p.module = &*std::prev(module);
    p.module_offset = address - p.module->base;
  }
  const auto symbol =
      std::upper_bound(symbols_.begin(), symbols_.end(), address,
                       [](std::uint64_t a, const program_symbol& s) { return a < s.address; });
  if (symbol == symbols_.begin()) return p;
  const program_symbol& s = *std::prev(symbol);
  const std::uint64_t offset = address - s.address;
  if (offset >= (s.size != 0 ? s.size : longest_unsized)) return p;
  // Ignore a symbol that begins in another module.
  if (p.module != nullptr && !p.module->has(s.address)) return p;
  p.symbol = &s;
  p.symbol_offset = offset;
  return p;
}

TRACECODEC_FUNC std::string maps_path(std::string_view trace_path) {
  const std::size_t name = io::file_name_at(trace_path);
  const std::size_t dot = trace_path.find_last_of('.');
  if (io::codec_of_suffix(trace_path) != io::codec::none && dot != std::string_view::npos &&
      dot > name)
    trace_path = trace_path.substr(0, dot);
  return std::string(trace_path) + ".maps.json";
}

}  // namespace tracecodec
