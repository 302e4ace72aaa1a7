// Writes a RapidBin trace from what a program does, in the program's own terms: threads, locks,
// variables and locations are numbered by first appearance, as Wasmgrind does, and the metadata
// that says which number is what is written beside the trace.
#pragma once
#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../io/atomic_file.hpp"
#include "../io/hash.hpp"
#include "metadata.hpp"
#include "reader/numbers.hpp"
#include "writer.hpp"

namespace tracecodec::rapidbin {

namespace detail {
struct pair_hash {
  using is_avalanching = void;
  std::size_t operator()(const memory_location& m) const {
    return io::keyed_hash()(m.address, m.access_width);
  }
  std::size_t operator()(const code_location& c) const {
    return io::keyed_hash()(c.function, c.instruction);
  }
};
}  // namespace detail

// Both files appear under their names only after finish(). Within an event the thread is numbered
// first, then what it acts on, then the location. Memory: that of the different ids.
class symbolic_writer {
 public:
  // The metadata goes to metadata_path(path). Throws trace_error: as io::open_output; refused if
  // both would be one file (a path that ends in .json).
  explicit symbolic_writer(const std::string& path) : symbolic_writer(path, metadata_path(path)) {}
  symbolic_writer(const std::string& path, const std::string& metadata_file)
      : trace_(distinct(path, metadata_file)), beside_(metadata_file) {}

  // Each throws trace_error as writer::write(), for the 1,025th thread or the 32,769th location
  // too; the writer can then only be destroyed.
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
  // Operations without operand. Wasmgrind writes none of them.
  void begin(std::uint64_t thread, const code_location& where) {
    put(operation::begin, threads_(thread), 0, where);
  }
  void end(std::uint64_t thread, const code_location& where) {
    put(operation::end, threads_(thread), 0, where);
  }
  void branch(std::uint64_t thread, const code_location& where) {
    put(operation::branch, threads_(thread), 0, where);
  }

  // Completes both files; nothing may be written after it.
  void finish() {
    const std::string text = metadata_text(names());
    beside_.write(std::as_bytes(std::span(text)));
    trace_.finish();
    beside_.finish();
  }

  [[nodiscard]] std::uint64_t written() const { return trace_.written(); }
  // What the numbers stand for so far.
  [[nodiscard]] metadata names() const {
    metadata m;
    m.threads = table(threads_);
    m.memory = table(variables_);
    m.locks = table(locks_);
    m.locations = table(locations_);
    for (const auto& [variable, threads] : sharers_)
      if (threads.size() > 1) m.shared_variables[variable].insert(threads.begin(), threads.end());
    return m;
  }

 private:
  static const std::string& distinct(const std::string& path, const std::string& metadata_file) {
    if (path == metadata_file)
      throw trace_error(trace_errc::refused, {.file = path},
                        "the trace and its metadata would be one file");
    return path;
  }
  template <class Key, class Hash> static id_table<Key> table(const numbering<Key, Hash>& numbers) {
    std::vector<typename id_table<Key>::record> records;
    records.reserve(static_cast<std::size_t>(numbers.size()));
    numbers.for_each([&records](const Key& key, std::uint64_t n) { records.push_back({key, n}); });
    return id_table<Key>(std::move(records));
  }

  void access(operation o, std::uint64_t thread, const memory_location& variable,
              const code_location& where) {
    const std::uint64_t t = threads_(thread), v = variables_(variable);
    put(o, t, v, where);
    std::vector<std::uint64_t>& sharers = sharers_[v];
    if (std::find(sharers.begin(), sharers.end(), t) == sharers.end()) sharers.push_back(t);
  }
  void on_lock(operation o, std::uint64_t thread, std::uint64_t lock, const code_location& where) {
    const std::uint64_t t = threads_(thread);
    put(o, t, locks_(lock), where);
  }
  void on_thread(operation o, std::uint64_t thread, std::uint64_t child,
                 const code_location& where) {
    const std::uint64_t t = threads_(thread);
    put(o, t, threads_(child), where);
  }
  // The writer refuses what does not fit; numbers are given one by one, so that they never skip the
  // first that does not.
  void put(operation o, std::uint64_t thread, std::uint64_t decor, const code_location& where) {
    const auto narrow = [](std::uint64_t n) {
      return static_cast<std::uint16_t>(std::min<std::uint64_t>(n, 0xFFFF));
    };
    trace_.write({false, narrow(locations_(where)), decor, o, narrow(thread)});
  }

  writer trace_;
  io::atomic_file beside_;
  numbering<std::uint64_t> threads_ = {}, locks_ = {};
  numbering<memory_location, detail::pair_hash> variables_ = {};
  numbering<code_location, detail::pair_hash> locations_ = {};
  boost::unordered_flat_map<std::uint64_t, std::vector<std::uint64_t>, io::keyed_hash> sharers_ =
      {};
};

}  // namespace tracecodec::rapidbin
