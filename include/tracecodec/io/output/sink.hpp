// Interface for byte sinks, which all writers use. Only finish() completes an output. A sink that
// is destroyed before finish() leaves no output.
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
  // Discards the output unless finish() was called. Nothing then exists under the output's final
  // name.
  virtual ~sink() = default;

  // Writes all of `bytes`, or throws trace_error. After an error, the sink can only be destroyed.
  virtual void write(std::span<const std::byte> bytes) = 0;

  // Returns true if the sink supports patch(). Files support it, but pipes and compressors do not.
  [[nodiscard]] virtual bool patchable() const { return false; }
  // Overwrites the bytes starting at `offset`. All these bytes must have been written before. The next
  // write() still appends to the end. Throws trace_error(refused) if the sink is not patchable(),
  // and trace_error(system) if writing fails.
  inline virtual void patch(std::uint64_t offset, std::span<const std::byte> bytes);

  // Receives the end of a record: its offset in the content, which may not have been written yet,
  // and the state with which the next record begins (record_entry::state). Writers of files with an
  // index of records call it for each record, in order. Other sinks than zstf_sink ignore it.
  virtual void end_record(std::uint64_t offset, std::uint64_t state) {
    static_cast<void>(offset);
    static_cast<void>(state);
  }

  // Starts the next chunk of an output that consists of chunks, the first one before the first write.
  // Returns false, and does nothing, for other outputs. A zip_sink has chunks.
  virtual bool start_chunk() { return false; }

  // Flushes all layers and completes the output. Call finish() exactly once, after all writes.
  // Throws trace_error if any step fails. In this case, the output does not exist under its final
  // name.
  virtual void finish() = 0;
};

inline void sink::patch(std::uint64_t /*offset*/, std::span<const std::byte> /*bytes*/) {
  throw trace_error(trace_errc::refused, {}, "cannot be patched: this output is sequential");
}

}  // namespace tracecodec::io
