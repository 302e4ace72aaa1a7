// Writes RapidBin files: events one after another, then the header with what was counted.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "../config.hpp"
#include "../io/output/sink.hpp"
#include "layout.hpp"
#include "reader/events.hpp"

namespace tracecodec::rapidbin {

// A file::writer that counts threads, locks and variables as well: the file exists under its name
// only after finish(). Movable.
class writer {
 public:
  // `name` is what errors call the output. One whose header cannot be patched is kept back in a
  // temporary file until that is known. Throws trace_error as write().
  writer(std::unique_ptr<io::sink> out, std::string name);
  // Compressed as the path's suffix says: .xz, .gz, .zst, else not. "-" is standard output.
  // Throws trace_error as io::open_output.
  explicit writer(const std::string& path);
  writer(writer&&) noexcept;
  writer& operator=(writer&&) noexcept;
  ~writer();

  // Throws trace_error: system if the output cannot be written; refused, with record and field, for
  // a location above 32,767, a decor above 34 bits, a thread above 1,023, also as the one that is
  // forked or joined, or an operation above 15.
  void write(const event& e);
  void write(const event_list& events);

  // Completes the output, header first of all; nothing may be written after it. Throws
  // trace_error(refused) if there are more locks or variables than a header can count.
  void finish();

  [[nodiscard]] std::uint64_t written() const;
  // What the header will say.
  [[nodiscard]] header counts() const;

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/writer.ipp"
#endif
