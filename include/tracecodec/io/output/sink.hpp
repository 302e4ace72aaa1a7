// Byte sinks: the interface that every writer takes. Only finish() makes an output complete; a
// sink that is destroyed without it leaves no output.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "../error.hpp"

namespace tracecodec::io {

class sink {
 public:
  sink() = default;
  sink(const sink&) = delete;
  sink& operator=(const sink&) = delete;
  // Discards the output unless finish() was called: nothing remains under its final name.
  virtual ~sink() = default;

  // Writes all of `bytes`, or throws trace_error; after an error the sink can only be
  // destroyed.
  virtual void write(std::span<const std::byte> bytes) = 0;

  // True if patch() works: for files, but not for pipes or through a compressor.
  [[nodiscard]] virtual bool patchable() const { return false; }
  // Overwrites bytes that were written before, from `offset` on. The next write() still appends
  // to the end. Throws trace_error(refused) if the sink is not patchable(), or
  // trace_error(system).
  inline virtual void patch(std::uint64_t offset, std::span<const std::byte> bytes);

  // Flushes all layers and completes the output. Must be called once, and nothing can be
  // written afterwards. Throws trace_error if any step fails; the output then does not exist
  // under its final name.
  virtual void finish() = 0;
};

inline void sink::patch(std::uint64_t /*offset*/, std::span<const std::byte> /*bytes*/) {
  throw trace_error(trace_errc::refused, {}, "cannot be patched: this output is sequential");
}

}  // namespace tracecodec::io
