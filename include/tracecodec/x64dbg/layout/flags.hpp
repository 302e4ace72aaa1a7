// Names of the flags in rflags and eflags.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "../../config.hpp"

namespace tracecodec::x64dbg {

struct flag_name {
  unsigned bit = 0;
  std::string_view name = {};
};

// Flags of one bit. The list does not include IOPL, which consists of bits 12 and 13.
inline constexpr std::array<flag_name, 16> flag_names{{{0, "CF"},
                                                       {2, "PF"},
                                                       {4, "AF"},
                                                       {6, "ZF"},
                                                       {7, "SF"},
                                                       {8, "TF"},
                                                       {9, "IF"},
                                                       {10, "DF"},
                                                       {11, "OF"},
                                                       {14, "NT"},
                                                       {16, "RF"},
                                                       {17, "VM"},
                                                       {18, "AC"},
                                                       {19, "VIF"},
                                                       {20, "VIP"},
                                                       {21, "ID"}}};

// Calls f(name) for each flag that is set in `eflags`, starting with the lowest bit. If IOPL is not
// 0, also calls f() with a string such as "IOPL=3".
template <class F> constexpr void for_each_flag(std::uint64_t eflags, F&& f) {
  for (const flag_name& flag : flag_names)
    if ((eflags >> flag.bit & 1U) != 0) f(flag.name);
  constexpr std::array<std::string_view, 4> levels{"", "IOPL=1", "IOPL=2", "IOPL=3"};
  if (const auto level = eflags >> 12 & 3U; level != 0) f(levels[level]);
}

}  // namespace tracecodec::x64dbg
