// Where bytes go: the interface every writer takes.
// Only finish() makes output complete; a sink destroyed without it leaves nothing behind.
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
  // Without a finish() before: gives up, and leaves nothing under the output's final name.
  virtual ~sink() = default;

  // Takes all of `bytes`, or throws trace_error; after that the sink can only be destroyed.
  virtual void write(std::span<const std::byte> bytes) = 0;

  // Whether patch() works: in files; not in pipes, nor where a compressor stands between.
  [[nodiscard]] virtual bool patchable() const { return false; }
  // Replaces bytes that were written before: those at `offset`, as many as `bytes` has. What is
  // written next still goes to the end. Throws trace_error: refused if not patchable(), system.
  inline virtual void patch(std::uint64_t offset, std::span<const std::byte> bytes);

  // Flushes all the way down and completes the output; once only, and nothing is written after it.
  // Throws trace_error if any of it fails: the output then does not exist under its final name.
  virtual void finish() = 0;
};

inline void sink::patch(std::uint64_t /*offset*/, std::span<const std::byte> /*bytes*/) {
  throw trace_error(trace_errc::refused, {}, "written once only: cannot be patched");
}

}  // namespace tracecodec::io
