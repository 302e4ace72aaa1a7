// Writes a RapidBin trace of a program's actions, named by the program's own ids and
// addresses. Like Wasmgrind, it numbers threads, locks, variables and locations by first
// appearance. It writes the metadata, which maps the numbers back, beside the trace.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "../config.hpp"
#include "layout.hpp"
#include "metadata.hpp"

namespace tracecodec::rapidbin {

// Writer of a trace and its metadata. Both files appear under their names only after finish().
// Within an event the thread is numbered first, then the operand, then the location. Memory
// use is linear in the number of different ids. Movable.
class symbolic_writer {
 public:
  // Writes the metadata to metadata_path(path). Throws trace_error as io::open_output() does,
  // and trace_error(refused) if both paths are the same file (a path that ends in .json).
  explicit symbolic_writer(const std::string& path);
  symbolic_writer(const std::string& path, const std::string& metadata_file);
  symbolic_writer(symbolic_writer&&) noexcept;
  symbolic_writer& operator=(symbolic_writer&&) noexcept;
  ~symbolic_writer();

  // The following functions throw trace_error as writer::write() does, also for the 1,025th
  // thread or the 32,769th location. After an exception the writer can only be destroyed.
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
  // Operations without an operand. Wasmgrind writes none of them.
  void begin(std::uint64_t thread, const code_location& where) {
    alone(operation::begin, thread, where);
  }
  void end(std::uint64_t thread, const code_location& where) {
    alone(operation::end, thread, where);
  }
  void branch(std::uint64_t thread, const code_location& where) {
    alone(operation::branch, thread, where);
  }

  // Completes both files. Nothing may be written afterwards.
  void finish();

  [[nodiscard]] std::uint64_t written() const;
  // Returns the metadata of the ids numbered so far.
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
