// Prints the module and the symbol at an instruction's address, as part of the instruction's row.
#pragma once
#include <cstdint>
#include <string>

#include "../common/json.hpp"
#include "../common/places.hpp"
#include "memory_dump.hpp"
#include "parts.hpp"

namespace view {

namespace detail {
inline void add_members(examples::json& j, const tracecodec::program_place& p) {
  if (p.module != nullptr)
    j.key("module").string(p.module->name()).key("module_offset").hex(p.module_offset);
  if (p.symbol != nullptr)
    j.key("symbol").string(p.symbol->name).key("symbol_offset").hex(p.symbol_offset);
}
}  // namespace detail

// Adds the module and the symbol at `ip` to the row of instruction `index`. The row must be
// complete and at the end of `s`. In the detailed view, also adds the module and the symbol at the
// branch target. Unknown addresses are ignored.
inline void add_place(std::string& s, form f, const tracecodec::program_map& map,
                      std::uint64_t index, std::uint64_t ip, std::uint64_t target) {
  if (map.empty()) return;
  const auto place = map.at(ip, index);
  const auto aim = target != 0 ? map.at(target, index) : tracecodec::program_place{};
  if (f == form::json) {
    std::string members;
    examples::json j(members);
    detail::add_members(j, place);
    if (members.empty()) return;
    s.resize(s.size() - 2);  // "}\n"
    (s += ',') += members;
    s += "}\n";
  } else if (f == form::compact) {
    const std::string text = examples::place_text(place);
    if (text.empty()) return;
    s.pop_back();
    (s += " | IN[") += text;
    s += "]\n";
  } else {
    const std::string here = examples::place_text(place), there = examples::place_text(aim);
    s.pop_back();  // removes the empty line
    if (!here.empty()) {
      add_label(s, "in");
      s += here + '\n';
    }
    if (!there.empty()) {
      add_label(s, "target in");
      s += there + '\n';
    }
    s += '\n';
  }
}

}  // namespace view
