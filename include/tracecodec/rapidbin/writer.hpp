// Writes RapidBin files: events one after another, then the header with what was counted.
#pragma once
#include <cstdint>
#include <string>

#include "../config.hpp"
#include "../io/owned.hpp"
#include "../io/sink.hpp"
#include "layout.hpp"
#include "reader/events.hpp"

namespace tracecodec::rapidbin {

// A file::writer that counts threads, locks and variables as well: the file exists under its name
// only after finish(). Movable.
class writer {
 public:
  // `name` is what errors call the output. One whose header cannot be patched is kept back in a
  // temporary file until that is known. Throws trace_error as write().
  TRACECODEC_LAZY writer(io::owned<io::sink> out, std::string name);
  // Compressed as the path's suffix says: .xz, .gz, .zst, else not. "-" is standard output.
  // Throws trace_error as io::open_output.
  TRACECODEC_LAZY explicit writer(const std::string& path);
  writer(writer&&) noexcept;
  writer& operator=(writer&&) noexcept;
  ~writer();

  // Throws trace_error: system if the output cannot be written; refused, with record and field, for
  // a location above 32,767, a decor above 34 bits, a thread above 1,023, also as the one that is
  // forked or joined, or an operation above 15.
  TRACECODEC_LAZY void write(const event& e);
  TRACECODEC_LAZY void write(const event_list& events);

  // Completes the output, header first of all; nothing may be written after it. Throws
  // trace_error(refused) if there are more locks or variables than a header can count.
  TRACECODEC_LAZY void finish();

  TRACECODEC_LAZY [[nodiscard]] std::uint64_t written() const;
  // What the header will say.
  TRACECODEC_LAZY [[nodiscard]] header counts() const;

 private:
  class state;
  io::owned<state> state_;
};

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/writer.ipp"
#endif
