// Writer of Tenet's traces.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../io/output/sink.hpp"
#include "../io/output/text_output.hpp"
#include "../rows/numbers.hpp"
#include "line.hpp"

namespace tracecodec::tenet {

// Writer whose file exists under its name only after finish(). A line contains the registers and the
// memory that the previous instruction changed. For each instruction, call add() for these, and then
// end_line() with the address of the instruction.
class writer {
 public:
  writer(std::unique_ptr<io::sink> out, const dialect& d) : out_(std::move(out)), dialect_(&d) {}

  // Adds the value of the register with index `n`, which must not be the instruction pointer.
  void add(std::size_t n, std::uint64_t value) { add_register(dialect_->names[n], value); }
  // Adds memory that was read, written or both, with the bytes after the instruction.
  void add(bool read, bool write, std::uint64_t address, std::span<const std::byte> bytes) {
    memory_ += !write ? ",mr=" : read ? ",mrw=" : ",mw=";
    rows::add_hex(memory_, address);
    memory_ += ':';
    rows::add_bytes(memory_, bytes);
  }
  // Throws trace_error like io::sink::write().
  void end_line(std::uint64_t ip) {
    add_register(dialect_->pc(), ip);
    out_.text().pop_back();
    (out_.text() += memory_) += '\n';
    memory_.clear();
    out_.end_record();
  }
  void finish() { out_.finish(); }
  // Returns the number of lines.
  [[nodiscard]] std::uint64_t written() const noexcept { return out_.written(); }

 private:
  void add_register(std::string_view name, std::uint64_t value) {
    (out_.text() += name) += '=';
    rows::add_hex(out_.text(), value);
    out_.text() += ',';
  }

  io::text_output out_;
  const dialect* dialect_;
  std::string memory_ = {};
};

}  // namespace tracecodec::tenet
