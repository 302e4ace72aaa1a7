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

// Returns the names in `all` with which STD text can be written, such that different ids of a kind
// are written differently. Other ids are written as numbers. If several ids have the same name,
// only the first id keeps it. A name that is the number of another id (T0) is kept only if the
// other id is also written by a name. In names from STD text, this is always true.
TRACECODEC_FUNC id_names names_for_std(const id_names& all);

// Writer of STD text. The file appears under its name only after finish(). A writer that is
// destroyed before finish() leaves no file.
class std_writer {
 public:
  // Creates a writer to `out`. `name` is the output's name in errors.
  std_writer(std::unique_ptr<io::sink> out, std::string name, dialect d = dialect::wasmgrind);
  // Creates the file `path`. The suffixes .xz, .gz and .zst select compression. "-" is standard
  // output. Throws what io::open_output() throws.
  explicit std_writer(const std::string& path, dialect d = dialect::wasmgrind);

  // Sets the names by which ids are written. They must come from STD text or from
  // names_for_std(). RAPID's dialect writes locations as numbers, so names of locations are
  // ignored.
  void set_names(std_names names);

  // Writes events, except operations that the dialect lacks. Throws trace_error:
  // - system if the output cannot be written.
  // - refused, with record and field, if STD text cannot express the event. Such an event has a
  //   sign bit, an undefined operation, or a decor for an operation without an operand.
  void write(const event& e);
  void write(const event_list& events);

  // Completes the output. write() must not be called afterwards.
  void finish();

  [[nodiscard]] std::uint64_t written() const { return written_; }
  // Returns the number of requests and branches left out because the dialect lacks them.
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
