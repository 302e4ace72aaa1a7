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

// Returns those names of `all` that STD text can use beside numbers without writing two ids of
// a kind alike. Of several ids with one name, the first keeps it. A name may read as the
// number of another id (T0). It is kept only if that id is also written by a name, as is
// always so in names from STD text.
TRACECODEC_FUNC id_names names_for_std(const id_names& all);

// Writer of STD text. The text exists under its name only after finish(). A writer that is
// destroyed before finish() leaves no file.
class std_writer {
 public:
  // Writes to `out`. `name` is the output's name in errors.
  std_writer(std::unique_ptr<io::sink> out, std::string name, dialect d = dialect::wasmgrind);
  // Creates the file `path`, compressed according to its suffix (.xz, .gz, .zst, otherwise
  // not). "-" is standard output. Throws trace_error as io::open_output() does.
  explicit std_writer(const std::string& path, dialect d = dialect::wasmgrind);

  // Writes ids by these names, which must come from STD text or from names_for_std(). RAPID's
  // dialect writes locations as numbers, so their names are ignored.
  void set_names(std_names names);

  // Writes events, except operations that the dialect lacks. Throws trace_error:
  // - system if the output cannot be written.
  // - refused, with record and field, for a sign bit, an undefined operation, or a decor for
  //   an operation without an operand. STD text cannot express them.
  void write(const event& e);
  void write(const event_list& events);

  // Completes the output. Nothing may be written afterwards.
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
