// Descriptor of Lackey traces (format/list.hpp).
#pragma once
#include <array>
#include <string_view>

#include "../format/facts.hpp"
#include "../format/file_descriptor.hpp"
#include "layout.hpp"

namespace tracecodec::lackey {

struct descriptor : format::file_descriptor<trace_file, trace_feed> {
  static constexpr std::array<std::string_view, 1> suffixes{".lackey"};
  static constexpr format::facts facts{.name = "lackey",
                                       .title = "Lackey",
                                       .family = "Lackey",
                                       .record = "instruction",
                                       .is_text = true,
                                       .suffixes = suffixes};
};

}  // namespace tracecodec::lackey
