// Names of the ids in events, in the form that the metadata file requires.
#pragma once
#include <tracecodec/io/text/utf8.hpp>
#include <tracecodec/rapidbin/metadata.hpp>

#include <cstdint>
#include <string>

#include "../conversion.hpp"

namespace convert {

namespace rapidbin = tracecodec::rapidbin;

// Returns the names that are valid UTF-8, which JSON requires. Prints the number of omitted names.
inline rapidbin::id_names names_for_json(const rapidbin::id_names& all) {
  std::uint64_t left_out = 0;
  const auto utf8 = [&left_out](rapidbin::id_kind, const std::string& name, std::uint64_t) {
    const bool valid = tracecodec::io::utf16_of(name).has_value();
    left_out += !valid;
    return valid;
  };
  rapidbin::id_names kept = names_if(all, utf8);
  if (left_out != 0) say(some(left_out, "name") + " left out of the metadata: not UTF-8");
  return kept;
}

}  // namespace convert
