// Writes events as STD text.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "../config.hpp"
#include "../io/output/sink.hpp"
#include "metadata.hpp"
#include "reader/events.hpp"
#include "reader/std_text.hpp"

namespace tracecodec::rapidbin {

// Returns the names in `all` that can be written to STD text without ambiguity. Ids without an
// unambiguous name are written as numbers. If several ids have the same name, only the first id
// keeps the name. If a name is also the number of another id (T0), the name is kept only if the
// other id is also written as a name. Names from STD text always satisfy this condition.
TRACECODEC_FUNC id_names names_for_std(const id_names& all);

// Writer of STD text. The file has its final name only after finish(). If the writer is destroyed
// before finish(), no file remains.
class std_writer {
 public:
  // Creates a writer to `out`. `name` is the output's name in error messages.
  std_writer(std::unique_ptr<io::sink> out, std::string name, dialect d = dialect::wasmgrind);
  // Creates the file `path`. The suffixes .xz, .gz and .zst select compression. The path "-" stands
  // for standard output. Throws the errors of io::open_output().
  explicit std_writer(const std::string& path, dialect d = dialect::wasmgrind);

  // Sets the names that are written instead of numbers. The names must come from STD text or from
  // names_for_std(). RAPID's dialect ignores names of locations, because it writes locations as
  // numbers.
  void set_names(std_names names);

  // Writes events, but omits events with operations that the dialect lacks. Throws trace_error:
  // - system if the output cannot be written.
  // - refused, with record and field, for an event that STD text cannot represent: an event with a
  //   sign bit, an undefined operation, or a decor for an operation without an operand.
  void write(const event& e);
  void write(const event_list& events);

  // Completes the output. Do not call write() afterwards.
  void finish();

  [[nodiscard]] std::uint64_t written() const { return written_; }
  // Returns the number of requests and branches that were omitted because the dialect lacks them.
  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }

 private:
  void flush();

  std::unique_ptr<io::sink> out_;
  std::string name_;
  dialect dialect_;
  std_names names_ = {};
  std::string text_ = {};
  std::uint64_t written_ = 0, left_out_ = 0;
};

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/std_writer.ipp"
#endif
