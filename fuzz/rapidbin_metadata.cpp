// Tests the JSON metadata that Wasmgrind writes next to a trace.
#include "target.hpp"
#include "tracecodec/rapidbin/read_metadata.hpp"

namespace fuzz::rapidbin_metadata {
namespace {
namespace rapidbin = tracecodec::rapidbin;

template <class Table> void look_up(const Table& table) {
  for (const auto& r : table) {
    require(table.find(r.trace_id) != nullptr && *table.find(r.trace_id) == r.wasm_id,
            "each trace id is found");
    const auto id = table.find_trace_id(r.wasm_id);
    require(id && *id <= r.trace_id, "each wasm id leads to its first trace id");
  }
}

void run(view in) {
  rapidbin::metadata m;
  if (error_of([&] { m = rapidbin::parse_metadata(text_of(in), "fuzz"); })) return;
  look_up(m.threads);
  look_up(m.memory);
  look_up(m.locks);
  look_up(m.locations);
  rapidbin::overlaps(m, [](const rapidbin::overlap& o) {
    require(o.first != o.second && o.bytes != 0, "two variables that share something");
  });
  auto again = rapidbin::parse_metadata(rapidbin::metadata_text(m), "again");
  require(!again.align, "written as the current Wasmgrind does");
  again.align = m.align;
  require(again == m, "decode(encode(x)) == x");
}
const target registered("rapidbin_metadata", run);
}  // namespace
}  // namespace fuzz::rapidbin_metadata
