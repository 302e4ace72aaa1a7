#pragma once
#include "../rows.hpp"

namespace tracecodec::rapidbin {

TRACECODEC_FUNC named_row row_of(std::uint64_t index, const event& e, const metadata& names) {
  named_row r{.index = index, .event = {&e}};
  if (const code_location* l = names.locations.find(e.location)) {
    r.function = l->function;
    r.instruction = l->instruction;
  }
  switch (operand_of(e.operation)) {
    case operand::variable:
      if (const memory_location* m = names.memory.find(e.decor)) {
        r.address = {m->address};
        r.access_width = m->access_width;
      }
      break;
    case operand::lock:
      if (const std::uint64_t* l = names.locks.find(e.decor)) r.lock = {*l};
      break;
    default:
      break;
  }
  return r;
}

}  // namespace tracecodec::rapidbin
