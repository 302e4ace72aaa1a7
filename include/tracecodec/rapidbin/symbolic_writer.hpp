// Writes a RapidBin trace from what a program does, in the program's own terms: threads, locks,
// variables and locations are numbered by first appearance, as Wasmgrind does, and the metadata
// that says which number is what is written beside the trace.
#pragma once
#include <cstdint>
#include <string>

#include "../config.hpp"
#include "../io/owned.hpp"
#include "layout.hpp"
#include "metadata.hpp"

namespace tracecodec::rapidbin {

// Both files appear under their names only after finish(). Within an event the thread is numbered
// first, then what it acts on, then the location. Memory: that of the different ids. Movable.
class symbolic_writer {
 public:
  // The metadata goes to metadata_path(path). Throws trace_error: as io::open_output; refused if
  // both would be one file (a path that ends in .json).
  TRACECODEC_LAZY explicit symbolic_writer(const std::string& path);
  TRACECODEC_LAZY symbolic_writer(const std::string& path, const std::string& metadata_file);
  symbolic_writer(symbolic_writer&&) noexcept;
  symbolic_writer& operator=(symbolic_writer&&) noexcept;
  ~symbolic_writer();

  // Each throws trace_error as writer::write(), for the 1,025th thread or the 32,769th location
  // too; the writer can then only be destroyed.
  TRACECODEC_LAZY void read(std::uint64_t thread, const memory_location& variable,
                            const code_location& where) {
    access(operation::read, thread, variable, where);
  }
  TRACECODEC_LAZY void write(std::uint64_t thread, const memory_location& variable,
                             const code_location& where) {
    access(operation::write, thread, variable, where);
  }
  TRACECODEC_LAZY void request(std::uint64_t thread, std::uint64_t lock,
                               const code_location& where) {
    on_lock(operation::request, thread, lock, where);
  }
  TRACECODEC_LAZY void acquire(std::uint64_t thread, std::uint64_t lock,
                               const code_location& where) {
    on_lock(operation::acquire, thread, lock, where);
  }
  TRACECODEC_LAZY void release(std::uint64_t thread, std::uint64_t lock,
                               const code_location& where) {
    on_lock(operation::release, thread, lock, where);
  }
  TRACECODEC_LAZY void fork(std::uint64_t thread, std::uint64_t child, const code_location& where) {
    on_thread(operation::fork, thread, child, where);
  }
  TRACECODEC_LAZY void join(std::uint64_t thread, std::uint64_t child, const code_location& where) {
    on_thread(operation::join, thread, child, where);
  }
  // Operations without operand. Wasmgrind writes none of them.
  TRACECODEC_LAZY void begin(std::uint64_t thread, const code_location& where) {
    alone(operation::begin, thread, where);
  }
  TRACECODEC_LAZY void end(std::uint64_t thread, const code_location& where) {
    alone(operation::end, thread, where);
  }
  TRACECODEC_LAZY void branch(std::uint64_t thread, const code_location& where) {
    alone(operation::branch, thread, where);
  }

  // Completes both files; nothing may be written after it.
  TRACECODEC_LAZY void finish();

  [[nodiscard]] std::uint64_t written() const;
  // What the numbers stand for so far.
  TRACECODEC_LAZY [[nodiscard]] metadata names() const;

 private:
  struct state;

  TRACECODEC_LAZY void access(operation o, std::uint64_t thread, const memory_location& variable,
                              const code_location& where);
  TRACECODEC_LAZY void on_lock(operation o, std::uint64_t thread, std::uint64_t lock,
                               const code_location& where);
  TRACECODEC_LAZY void on_thread(operation o, std::uint64_t thread, std::uint64_t child,
                                 const code_location& where);
  TRACECODEC_LAZY void alone(operation o, std::uint64_t thread, const code_location& where);

  io::owned<state> state_;
};

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/symbolic_writer.ipp"
#endif
