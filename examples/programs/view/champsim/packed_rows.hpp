// Prints a record of a tracepack in the form of a ChampSim record. If the tracepack stores code,
// also prints the code.
#pragma once
#include <tracecodec/tracepack/feed.hpp>
#include <tracecodec/tracepack/rows.hpp>
#if defined(TRACECODEC_WITH_ZYDIS)
#include <tracecodec/tracepack/values.hpp>
#endif

#include <cstdint>
#include <string>
#include <string_view>

#include "rows.hpp"

namespace view {

using packed_view = tracecodec::tracepack::instruction_view<champsim::instruction, true>;

// Returns the disassembly of an instruction. Returns an empty string if its code is unknown or if
// the build lacks Zydis.
inline std::string assembly_of([[maybe_unused]] const packed_view& i) {
#if defined(TRACECODEC_WITH_ZYDIS)
  return assembly(i);
#else
  return {};
#endif
}
inline void add_compact(std::string& s, std::uint64_t index, const packed_view& i) {
  const champsim::instruction_view<champsim::instruction>& plain = i;
  add_compact(s, index, plain);
  const std::string text = assembly_of(i);
  if (!text.empty()) s.insert(s.size() - 1, " | " + text);
}
inline void add_detail(std::string& s, std::uint64_t index, const packed_view& i) {
  const champsim::instruction_view<champsim::instruction>& plain = i;
  add_detail(s, index, plain);
  if (i.code().empty()) return;
  s.pop_back();  // removes the blank line
  add_label(s, "code");
  tracecodec::rows::add_bytes(s, i.code());
  s += '\n';
  const std::string text = assembly_of(i);
  if (!text.empty()) {
    add_label(s, "assembly");
    s += text + '\n';
  }
  s += '\n';
}
inline void add_json(std::string& s, std::uint64_t index, const packed_view& i) {
  using tracecodec::rows::json_form;
  const champsim::instruction_view<champsim::instruction>& plain = i;
  if (i.code().empty()) return json_form::add(s, champsim::row_of(index, plain));
  const std::string text = assembly_of(i);
  if (text.empty()) return json_form::add(s, tracecodec::tracepack::row_of(index, i));
  json_form::add(s, tracecodec::tracepack::row_of(index, i, std::string_view(text)));
}

}  // namespace view
