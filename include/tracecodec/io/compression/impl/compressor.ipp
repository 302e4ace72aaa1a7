#pragma once
#include "../compressor.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "../../error.hpp"
#include "../../os/interruption.hpp"

namespace tracecodec::io {

TRACECODEC_FUNC compressor::compressor(std::unique_ptr<sink> out)
    : out_(std::move(out)), buffer_(std::make_unique_for_overwrite<std::byte[]>(buffer_size)) {}

TRACECODEC_FUNC void compressor::write(std::span<const std::byte> bytes) {
  open_only();
  usable_ = false;  // until all of it is through
  while (!bytes.empty()) bytes = bytes.subspan(pass(bytes, false).used);
  usable_ = true;
}

TRACECODEC_FUNC void compressor::finish() {
  open_only();
  usable_ = false;
  while (!pass({}, true).done) {
  }
  out_->finish();
}

TRACECODEC_FUNC int compressor::checked_level(codec kind, int level, int lowest, int highest) {
  if (level >= lowest && level <= highest) return level;
  throw trace_error(trace_errc::refused, {},
                    std::string(codec_name(kind)) + " has levels " + std::to_string(lowest) +
                        " to " + std::to_string(highest) + ", not " + std::to_string(level));
}

TRACECODEC_FUNC void compressor::open_only() const {
  if (!usable_) throw trace_error(trace_errc::refused, {}, "output already finished or failed");
}

TRACECODEC_FUNC compressor::step compressor::pass(std::span<const std::byte> in, bool last) {
  if (interrupted()) throw interruption();
  in = in.first(std::min(in.size(), at_once));
  const step s = encode(in, last, {buffer_.get(), buffer_size});
  if (s.written != 0) out_->write({buffer_.get(), s.written});
  return s;
}

}  // namespace tracecodec::io
