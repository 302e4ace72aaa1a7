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

// Returns the names of `all` that lines can have for ids that may also be numbers, so that no two ids of a kind are
// written alike. A name that reads as a number, T0, is kept where that id has another name, too: text has it so. Of
// names that several ids have the first one's is kept.
TRACECODEC_FUNC id_names names_for_std(const id_names& all);

// The text exists under its name only after finish(); a writer destroyed before leaves nothing.
class std_writer {
 public:
  // `name` is what errors call the output.
  std_writer(std::unique_ptr<io::sink> out, std::string name, dialect d = dialect::wasmgrind);
  // Compressed as the path's suffix says: .xz, .gz, .zst, else not. "-" is standard output.
  // Throws trace_error as io::open_output.
  explicit std_writer(const std::string& path, dialect d = dialect::wasmgrind);

  // Writes ids by these names: those of text, or names_for_std(). RAPID's dialect has no names of locations, which are
  // numbers there.
  void set_names(std_names names);

  // Leaves out what the dialect does not have. Throws trace_error: system if the output cannot be
  // written; refused, with record and field, for what no line holds: a sign bit, an undefined
  // operation, a decor where the operation has no operand.
  void write(const event& e);
  void write(const event_list& events);

  // Completes the output; nothing may be written after it.
  void finish();

  [[nodiscard]] std::uint64_t written() const { return written_; }
  // Requests and branches that the dialect does not have.
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
