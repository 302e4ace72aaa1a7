// Writes a RapidBin trace of events that the caller describes with the program's own ids and
// addresses. Threads, locks, variables and locations are numbered by first appearance, as in
// Wasmgrind's traces. A metadata file beside the trace maps the numbers back to the program's ids
// and addresses.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "../config.hpp"
#include "layout.hpp"
#include "metadata.hpp"

namespace tracecodec::rapidbin {

// Writer of a trace and its metadata. Both files have their final names only after finish(). Within
// an event, the thread is numbered first, then the operand, then the location. Memory use grows
// with the number of distinct ids. Movable.
class symbolic_writer {
 public:
  // Creates the trace `path` and the metadata file `metadata_file`. The first overload uses
  // metadata_path(path). Throws the errors of io::open_output(). Throws trace_error(refused) if
  // both paths are equal, for example because `path` ends in .json.
  explicit symbolic_writer(const std::string& path);
  symbolic_writer(const std::string& path, const std::string& metadata_file);
  symbolic_writer(symbolic_writer&&) noexcept;
  symbolic_writer& operator=(symbolic_writer&&) noexcept;
  ~symbolic_writer();

  // Each of the following functions writes an event, and throws the errors of writer::write(), for
  // example for the 1,025th thread or the 32,769th location. After an exception, the writer may
  // only be destroyed.
  void read(std::uint64_t thread, const memory_location& variable, const code_location& where) {
    access(operation::read, thread, variable, where);
  }
  void write(std::uint64_t thread, const memory_location& variable, const code_location& where) {
    access(operation::write, thread, variable, where);
  }
  void request(std::uint64_t thread, std::uint64_t lock, const code_location& where) {
    on_lock(operation::request, thread, lock, where);
  }
  void acquire(std::uint64_t thread, std::uint64_t lock, const code_location& where) {
    on_lock(operation::acquire, thread, lock, where);
  }
  void release(std::uint64_t thread, std::uint64_t lock, const code_location& where) {
    on_lock(operation::release, thread, lock, where);
  }
  void fork(std::uint64_t thread, std::uint64_t child, const code_location& where) {
    on_thread(operation::fork, thread, child, where);
  }
  void join(std::uint64_t thread, std::uint64_t child, const code_location& where) {
    on_thread(operation::join, thread, child, where);
  }
  // The following functions write operations without an operand. Wasmgrind never writes these
  // operations.
  void begin(std::uint64_t thread, const code_location& where) {
    alone(operation::begin, thread, where);
  }
  void end(std::uint64_t thread, const code_location& where) {
    alone(operation::end, thread, where);
  }
  void branch(std::uint64_t thread, const code_location& where) {
    alone(operation::branch, thread, where);
  }

  // Completes both files. Do not write events afterwards.
  void finish();

  [[nodiscard]] std::uint64_t written() const;
  // Returns the metadata for the ids that have been numbered so far.
  [[nodiscard]] metadata names() const;

 private:
  struct state;

  void access(operation o, std::uint64_t thread, const memory_location& variable,
              const code_location& where);
  void on_lock(operation o, std::uint64_t thread, std::uint64_t lock, const code_location& where);
  void on_thread(operation o, std::uint64_t thread, std::uint64_t child,
                 const code_location& where);
  void alone(operation o, std::uint64_t thread, const code_location& where);

  std::unique_ptr<state> state_;
};

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/symbolic_writer.ipp"
#endif
