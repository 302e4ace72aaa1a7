// Options for writing an x64dbg trace. Programs store the options in format::own_options.
#pragma once
#include <cstdint>
#include <optional>

#include "../format/own_option.hpp"
#include "writer/mode.hpp"

namespace tracecodec::x64dbg {

struct output_options {
  std::optional<writer_mode> mode = {};
  std::optional<std::uint32_t> snapshot_distance = {};  // see writer_options::snapshot_distance
};

}  // namespace tracecodec::x64dbg

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::x64dbg::output_options> = true;
