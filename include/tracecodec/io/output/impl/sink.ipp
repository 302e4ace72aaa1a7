#pragma once
#include "../sink.hpp"

#include "../../error.hpp"

namespace tracecodec::io {

TRACECODEC_FUNC void sink::patch(std::uint64_t /*offset*/, std::span<const std::byte> /*bytes*/) {
  throw trace_error(trace_errc::refused, {}, "written once only: cannot be patched");
}

}  // namespace tracecodec::io
