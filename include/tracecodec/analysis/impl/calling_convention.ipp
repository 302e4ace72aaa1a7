#pragma once
#include <string>

#include "../../feed/operand_list.hpp"
#include "../../x86/registers.hpp"
#include "../calling_convention.hpp"

namespace tracecodec::analysis {

TRACECODEC_FUNC std::uint8_t register_number(const feed::column_source& trace,
                                             std::string_view name) {
  for (unsigned n = 1; n != 256; ++n) {
    const auto number = static_cast<std::uint8_t>(n);
    if (trace.has_own_registers() ? trace.register_name(number) == name
                                  : x86::name(static_cast<x86::reg>(n)).view() == name)
      return number;
  }
  // The registers of 32-bit x86 are parts of those of x86-64.
  if (name.size() == 3 && name[0] == 'e')
    return register_number(trace, 'r' + std::string(name.substr(1)));
  return 0;
}

TRACECODEC_FUNC const calling_convention* usual_convention(feed::column_source& trace,
                                                           bool is_microsoft) {
  const auto named = [](std::string_view name) {
    for (const calling_convention& c : calling_conventions)
      if (c.name == name) return &c;
    return static_cast<const calling_convention*>(nullptr);
  };
  if (!trace.has().has(feed::column::register_values)) return nullptr;
  if (trace.select_register("rsp")) return named(is_microsoft ? "microsoft" : "sysv");
  if (trace.select_register("esp")) return named("cdecl");
  if (register_number(trace, "a0") != 0) return named("riscv");
  if (register_number(trace, "x0") != 0) return named("aapcs64");
  return nullptr;
}

TRACECODEC_FUNC stack_pointer_column select_stack_pointer(feed::column_source& trace) {
  if (!trace.has().has(feed::column::register_value)) return {};
  for (const std::string_view name : {"rsp", "esp", "sp"}) {
    if (!trace.select_register(name)) continue;
    if (trace.has_all_registers()) return {.is_selected = true};
    if (!trace.has_own_registers()) return {true, x86::number(x86::reg::rsp)};
    // The stack pointer of ChampSim's records, from which classes of branches are derived, may have
    // the same name as that of the instruction set, which has a higher number.
    for (unsigned n = 255; n != 0; --n)
      if (const auto number = static_cast<std::uint8_t>(n); trace.register_name(number) == name)
        return {true, number, number == feed::stack_pointer};
  }
  return {};
}

}  // namespace tracecodec::analysis
