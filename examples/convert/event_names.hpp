// The names of ids in events that are written: into metadata, and into text.
#pragma once
#include <tracecodec/io/utf8.hpp>
#include <tracecodec/rapidbin/metadata.hpp>
#include <tracecodec/rapidbin/reader/std_text.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conversion.hpp"

namespace convert {

namespace rapidbin = tracecodec::rapidbin;

// `all` without names that are not UTF-8, which JSON cannot hold: says how many those are.
inline rapidbin::id_names names_for_json(const rapidbin::id_names& all) {
  using table = rapidbin::id_table<std::string>;
  std::uint64_t left_out = 0;
  const auto utf8 = [&left_out](const table& names) {
    std::vector<table::record> records(names.begin(), names.end());
    left_out += std::erase_if(
        records, [](const table::record& r) { return !tracecodec::io::utf16_of(r.wasm_id); });
    return table(std::move(records));
  };
  rapidbin::id_names kept{utf8(all.threads), utf8(all.locks), utf8(all.variables),
                          utf8(all.locations)};
  if (left_out != 0) say(some(left_out, "name") + " left out of the metadata: not UTF-8");
  return kept;
}

// Those of `names` that text in dialect `d` has room for: RAPID's locations are numbers. What text
// does not hold is written as a number.
inline rapidbin::std_names readable_names(rapidbin::std_names names, rapidbin::dialect d) {
  return [names = std::move(names), d](rapidbin::id_kind kind,
                                       std::uint64_t id) -> const std::string* {
    if (d == rapidbin::dialect::rapid && kind == rapidbin::id_kind::location) return nullptr;
    const std::string* const name = names(kind, id);
    return name != nullptr && readable_in_std(kind, *name) ? name : nullptr;
  };
}

}  // namespace convert
