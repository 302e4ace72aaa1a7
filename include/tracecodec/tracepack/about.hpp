// Description of a trace. A tracepack file stores it before the first frame.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "../file/record_table.hpp"
#include "../io/error.hpp"
#include "properties.hpp"
#include "shape.hpp"

namespace tracecodec::file {
class record_table;
}

namespace tracecodec::tracepack {

struct about {
  record_kind kind = record_kind::champsim;
  // Shape of the records. If `kind` is record_kind::bytes, only the size is used.
  tracepack::shape shape = {};
  std::uint32_t frame_records = 0;  // maximum number of records in a model frame
  std::uint8_t properties = 0;      // combination of has_classes, has_lengths and has_code
  tracepack::processor processor = processor::unknown;  // instruction set of the code
  std::string table = {};  // layout of described records, as printed by trace_view --layout
  std::string program = {}, arguments = {}, recorder = {}, machine = {}, date = {}, region = {},
              comment = {};
};

// about_champsim() returns the description of ChampSim's records, and about_cloudsuite() returns
// the description of CloudSuite's records. Both descriptions include the shape.
inline about about_champsim() { return {.kind = record_kind::champsim, .shape = champsim_shape()}; }
inline about about_cloudsuite() {
  return {.kind = record_kind::cloudsuite, .shape = cloudsuite_shape()};
}

// Returns the description of records with the layout in `table`. The field `ip` becomes the
// address, other 8-byte fields become slots, and the elements of `source_registers` become bases.
// Throws trace_error(refused) if records have more than most_record bytes.
inline about about_described(const file::record_table& table) {
  if (table.size() > most_record)
    throw trace_error(trace_errc::refused, {},
                      "records of " + std::to_string(table.size()) + " bytes, but at most " +
                          std::to_string(most_record) + " are supported");
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
  // The model requires an address, so keep only the size of records without an address.
  if (!has_ip || !modelled(s)) s = {.size = s.size, .ip = no_ip};
  return a;
}

}  // namespace tracecodec::tracepack
