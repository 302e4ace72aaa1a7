// Sections of a .ksy file that describe an x64dbg trace, except for its records.
#pragma once
#include <tracecodec/emit/kaitai.hpp>

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "../kaitai_file.hpp"

namespace view {

inline constexpr std::array<tracecodec::emit::kaitai_row, 1> x64dbg_prefix_in_kaitai{
    {{"magic", "        contents: TRAC\n"}}};
// Rules that the layout of a block does not express: the type must be 0, and a new value follows
// for each access whose flag bit 0 is clear.
inline constexpr std::array<tracecodec::emit::kaitai_row, 2> x64dbg_block_in_kaitai{
    {{"type", "        type: u1\n        valid: 0\n"},
     {"new_values",
      "        type: changed_word(_index)\n        repeat: expr\n        repeat-expr: "
      "accesses\n"}}};
inline constexpr std::array<tracecodec::emit::kaitai_row, 1> x64dbg_user_block_in_kaitai{
    {{"type", "        type: u1\n        valid:\n          min: 128\n"}}};

inline kaitai_file x64dbg_in_kaitai(bool narrow) {
  return {R"(  - id: prefix
    type: prefix
  - id: json
    size: prefix.length
  - id: blocks
    type: any_block
    repeat: eos
)",
          R"(  # By its first byte, which both kinds begin with
  any_block:
    seq:
      - id: body
        type:
          switch-on: next
          cases:
            0: block
            _: user_block
    instances:
      next:
        pos: _io.pos
        type: u1
  # The memory after an access, if the access changed it
  changed_word:
    params:
      - id: index
        type: s4
    seq:
      - id: value
        type: )" +
              std::string(narrow ? "u4le" : "u8le") +
              R"(
        if: (_parent.access_flags[index] & 1) == 0
)"};
}

// Returns the additions to the .ksy fields of the layout `name`.
inline std::span<const tracecodec::emit::kaitai_row> x64dbg_fields_in_kaitai(
    std::string_view name) {
  if (name == "prefix") return x64dbg_prefix_in_kaitai;
  if (name == "block") return x64dbg_block_in_kaitai;
  if (name == "user_block") return x64dbg_user_block_in_kaitai;
  return {};
}

}  // namespace view
