// Writes a program's map as JSON, for read_map.hpp and for other programs.
#pragma once
#include <string>

#include "../rows/json.hpp"
#include "map.hpp"

namespace tracecodec {

// Appends the map to `out`, with one module or symbol on each line:
//   {"version":1,
//   "modules":[{"base":"0x555555554000","size":"0x5000","path":"/usr/bin/true","build_id":"5f..."}],
//   "symbols":[{"address":"0x555555555139","size":"0x2e","name":"main"}]}
// Omits the key "build_id" if the build id is empty, the key "size" of a symbol if the size is
// unknown, and the key "from" if map.from() is 0.
inline void add_program_map(std::string& out, const program_map& map);

inline void add_program_map(std::string& out, const program_map& map) {
  // Write each element as a separate JSON object, so that line breaks can separate the elements.
  const auto list = [&out](const char* name, const auto& all, auto write) {
    ((out += ",\n\"") += name) += "\":[";
    bool first = true;
    for (const auto& v : all) {
      out += first ? "\n" : ",\n";
      first = false;
      rows::json j(out);
      j.object();
      write(j, v);
      j.end_object();
    }
    out += ']';
  };
  out += "{\"version\":1";
  if (map.from() != 0) {
    out += ",\"from\":";
    rows::add_number(out, map.from());
  }
  list("modules", map.modules(), [](auto& j, const program_module& m) {
    j.key("base").hex(m.base).key("size").hex(m.size).key("path").string(m.path);
    if (!m.build_id.empty()) j.key("build_id").string(m.build_id);
  });
  list("symbols", map.symbols(), [](auto& j, const program_symbol& s) {
    j.key("address").hex(s.address);
    if (s.size != 0) j.key("size").hex(s.size);
    j.key("name").string(s.name);
  });
  out += "}\n";
}

}  // namespace tracecodec
