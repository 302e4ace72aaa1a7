#pragma once
#include "../about.hpp"

#include <cstddef>

#include "../../file/record_table.hpp"
#include "../../io/error.hpp"

namespace tracecodec::tracepack {

TRACECODEC_FUNC about about_champsim() {
  return {.kind = record_kind::champsim, .shape = champsim_shape()};
}
TRACECODEC_FUNC about about_cloudsuite() {
  return {.kind = record_kind::cloudsuite, .shape = cloudsuite_shape()};
}

TRACECODEC_FUNC about about_described(const file::record_table& table) {
  if (table.size() > most_record)
    throw trace_error(trace_errc::refused, {},
                      "records of " + std::to_string(table.size()) + " bytes, at most " +
                          std::to_string(most_record) + " are packed");
  about a{.kind = record_kind::described};
  a.table = table.text();
  shape& s = a.shape;
  s.size = static_cast<std::uint16_t>(table.size());
  bool has_ip = false;
  for (const file::record_column& c : table.columns()) {
    const auto at = static_cast<std::uint16_t>(c.offset);
    const bool words =
        c.width == 8 && c.bits == 0 && c.offset % 8 == 0 && c.byte_order == wire::order::little;
    if (c.name == "ip" && words) {
      s.ip = at;
      has_ip = true;
    } else if (words && s.slots.size() + c.count <= most_slots) {
      for (std::size_t i = 0; i != c.count; ++i)
        s.slots.push_back(static_cast<std::uint16_t>(at + 8 * i));
    } else if (c.name == "source_registers" && c.width == 1) {
      for (std::size_t i = 0; i != c.count && s.bases.size() != most_slots; ++i)
        s.bases.push_back(static_cast<std::uint16_t>(at + i));
    } else if ((c.name == "is_branch" || c.name == "branch_taken") && c.width == 1) {
      s.flags.push_back(at);
    }
  }
  // Without an address nothing is predicted.
  if (!has_ip || !modelled(s)) s = {.size = s.size, .ip = no_ip};
  return a;
}

}  // namespace tracecodec::tracepack
