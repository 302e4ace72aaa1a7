// Descriptor of ML-DPC traces (format/list.hpp).
#pragma once
#include <array>
#include <string_view>

#include "../format/facts.hpp"
#include "../format/file_descriptor.hpp"
#include "layout.hpp"

namespace tracecodec::mldpc {

struct descriptor : format::file_descriptor<trace_file, trace_feed> {
  static constexpr std::array<std::string_view, 1> suffixes{".mldpc"};
  static constexpr format::facts facts{.name = "mldpc",
                                       .title = "ML-DPC",
                                       .family = "ML-DPC",
                                       .article = "an",
                                       .record = "load",
                                       .is_text = true,
                                       .suffixes = suffixes};
};

}  // namespace tracecodec::mldpc
