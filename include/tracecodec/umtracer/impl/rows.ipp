// The functions of umtracer/rows.hpp.
#pragma once
#include "../rows.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC std::string_view operand_name(const context_map& map, std::uint16_t id) noexcept {
  switch (id) {
    case name_mem0:
      return "MEM0";
    case name_mem1:
      return "MEM1";
    case name_agen:
      return "AGEN";
    default:
      return id == 0 ? std::string_view() : map.name(id);
  }
}

}  // namespace tracecodec::umtracer
