// Writes RapidBin files: the events in order, and finally the header with their counts.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "../config.hpp"
#include "../io/output/sink.hpp"
#include "layout.hpp"
#include "reader/events.hpp"

namespace tracecodec::rapidbin {

// Writer (file::writer) that also counts threads, locks and variables. The file exists under
// its name only after finish(). Movable.
class writer {
 public:
  // Writes to `out`. `name` is the output's name in errors. If the header cannot be patched in
  // `out`, the trace stays in a temporary file until the counts are known. Throws trace_error
  // as write() does.
  writer(std::unique_ptr<io::sink> out, std::string name);
  // Creates the file `path`, compressed according to its suffix (.xz, .gz, .zst, otherwise
  // not). "-" is standard output. Throws trace_error as io::open_output() does.
  explicit writer(const std::string& path);
  writer(writer&&) noexcept;
  writer& operator=(writer&&) noexcept;
  ~writer();

  // Writes events. Throws trace_error:
  // - system if the output cannot be written.
  // - refused, with record and field, for a location above 32,767, a decor above 34 bits, an
  //   operation above 15, or a thread above 1,023. Threads that are forked or joined count
  //   too.
  void write(const event& e);
  void write(const event_list& events);

  // Completes the output, including the header. Nothing may be written afterwards. Throws
  // trace_error(refused) if there are more locks or variables than a header can count.
  void finish();

  [[nodiscard]] std::uint64_t written() const;
  // Returns the counts that the header will contain.
  [[nodiscard]] header counts() const;

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/writer.ipp"
#endif
