// Descriptor of Dinero traces (format/list.hpp).
#pragma once
#include <array>
#include <string_view>

#include "../format/facts.hpp"
#include "../format/file_descriptor.hpp"
#include "layout.hpp"

namespace tracecodec::dinero {

struct descriptor : format::file_descriptor<trace_file, trace_feed> {
  static constexpr std::array<std::string_view, 1> suffixes{".din"};
  static constexpr format::facts facts{.name = "dinero",
                                       .title = "Dinero",
                                       .family = "Dinero",
                                       .record = "instruction",
                                       .is_text = true,
                                       .suffixes = suffixes};
};

}  // namespace tracecodec::dinero
