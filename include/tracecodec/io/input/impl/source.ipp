#pragma once
#include "../source.hpp"

#include <algorithm>
#include <cstring>

#include "../../error.hpp"

namespace tracecodec::io {

TRACECODEC_FUNC void source::seek(std::uint64_t /*offset*/) {
  throw trace_error(trace_errc::refused, {}, "cannot be read from anywhere but its start");
}

TRACECODEC_FUNC std::size_t memory_source::read(std::span<std::byte> out) {
  const std::size_t n = std::min(out.size(), all_.size() - at_);
  if (n != 0) std::memcpy(out.data(), all_.data() + at_, n);
  at_ += n;
  return n;
}

TRACECODEC_FUNC std::uint64_t memory_source::skip(std::uint64_t n) {
  const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(n, all_.size() - at_));
  at_ += step;
  return step;
}

TRACECODEC_FUNC void memory_source::seek(std::uint64_t offset) {
  at_ = static_cast<std::size_t>(std::min<std::uint64_t>(offset, all_.size()));
}

}  // namespace tracecodec::io
