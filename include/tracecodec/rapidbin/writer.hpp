// Writes RapidBin files. The header, which contains the counts, is written last.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "../config.hpp"
#include "../io/output/sink.hpp"
#include "layout.hpp"
#include "reader/events.hpp"

namespace tracecodec::rapidbin {

// Writer (file::writer) that also counts threads, locks and variables. The file has its final name
// only after finish(). Movable.
class writer {
 public:
  // Creates a writer to `out`. `name` is the output's name in error messages. If the header in
  // `out` cannot be overwritten later, a temporary file stores the trace until the counts are
  // known. Throws the errors of write().
  writer(std::unique_ptr<io::sink> out, std::string name);
  // Creates the file `path`. The suffixes .xz, .gz and .zst select compression. The path "-" stands
  // for standard output. Throws the errors of io::open_output().
  explicit writer(const std::string& path);
  writer(writer&&) noexcept;
  writer& operator=(writer&&) noexcept;
  ~writer();

  // Writes events. Throws trace_error:
  // - system if the output cannot be written.
  // - refused, with record and field, for a location above 32,767, a decor of more than 34 bits, an
  //   operation above 15, or a thread above 1,023. The limit for threads also applies to the thread
  //   that an event forks or joins.
  void write(const event& e);
  void write(const event_list& events);

  // Completes the output, including the header. Do not call write() afterwards. Throws
  // trace_error(refused) if the trace has more locks or variables than the header can store.
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
