// Instructions of drmemtrace traces for simulators and columns.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "../feed/composed.hpp"
#include "../file/reader.hpp"
#include "../x86/make_disassembler.hpp"
#include "trace_file.hpp"

namespace tracecodec::drmemtrace {

struct feed_options {
  std::optional<std::uint32_t> thread = {};  // thread whose instructions are read, or all threads
  // Maximum number of instructions that the feed holds back until a thread continues.
  std::size_t reach = 65536;
};

// Returns the mode of the code in a trace of type `type`, or nullopt if it is not x86 code.
constexpr std::optional<target> mode_of(std::uint64_t type) noexcept {
  if ((type & file_type::regdeps) != 0) return std::nullopt;
  if ((type & file_type::x86_64) != 0) return target::x64;
  if ((type & file_type::x86_32) != 0) return target::x86;
  return std::nullopt;
}
// Returns the disassembler for a trace of type `type`, if this build has one.
TRACECODEC_FUNC std::optional<x86::any_disassembler> make_disassembler(std::uint64_t type);

// Composer of the instructions of a trace.
class instruction_source : public feed::code_composer {
 public:
  using options_type = feed_options;
  // Maximum numbers of encodings, which use about 0.5 GB, and of threads that did not end.
  static constexpr std::size_t most_encodings = std::size_t{1} << 22, most_threads = 1 << 18;

  instruction_source(any_reader from, const feed_options& options)
      : code_composer(options.reach), options_(options), records_(std::move(from)) {}
  instruction_source(io::input in, const feed_options& options)
      : instruction_source(open_reader(std::move(in)), options) {}

  [[nodiscard]] feed::column_set lacks() const noexcept {
    const bool stores_code = (type_ & file_type::encodings) != 0 && !synthetic();
    return stores_code ? feed::column_set{} : feed::column_set{feed::column::code};
  }
  // Returns no bytes for the synthetic encodings of REGDEPS.
  [[nodiscard]] std::span<const std::byte> code(
      const feed::composed_instruction& i) const noexcept {
    return synthetic() ? std::span<const std::byte>() : code_composer::code(i);
  }
  // Returns the bits of file_type.
  [[nodiscard]] std::uint64_t type() const noexcept { return type_; }
  [[nodiscard]] any_reader& records() noexcept { return records_; }
  [[nodiscard]] const any_reader& records() const noexcept { return records_; }

 protected:
  bool read();

 private:
  struct thread_state {
    thread composing = {};
    own_versions versions = {};
    std::uint64_t pc = 0, next = 0;               // of the last instruction
    std::uint64_t marked_target = 0, window = 0;  // values of markers
    std::uint16_t events = 0;                     // bits of feed::system_event
    feed::code_bytes next_code = {};
  };

  template <target T> const char* add(const entry<T>& e);
  void learn(record_type what, std::uint64_t value, unsigned size);
  void add_marker(marker m, std::uint64_t value);
  void add_time(marker m, std::uint64_t value) noexcept;
  void add_instruction(record_type what, std::uint64_t ip, std::uint64_t length);
  feed::composed_instruction& start(thread_state& t, std::uint64_t ip, bool fetched);
  void decode(feed::known_code& to);
  [[nodiscard]] bool synthetic() const noexcept { return (type_ & file_type::regdeps) != 0; }
  thread_state& now() {
    if (now_ == nullptr) now_ = &threads_[id_];
    return *now_;
  }

  feed_options options_;
  any_reader records_;
  std::optional<x86::any_disassembler> disassembler_ = {};
  std::unordered_map<std::uint32_t, thread_state> threads_ = {};
  std::uint32_t id_ = 0;
  thread_state* now_ = nullptr;  // of thread `id_`, or null if it must be looked up
  std::uint64_t type_ = 0;
  std::uint64_t time_ = 0;
  std::uint32_t cpu_ = feed::unknown_cpu;  // at this time
  bool waited_ = false;  // true if the processor waited after the last instruction
};

// Feed of a trace (feed::stream, and a range): the instructions of all threads in the order of the
// records. Further iterations of a rep string instruction are instructions of their own, which are
// not fetched(). Markers and prefetches are not instructions.
//
// The target of a branch comes from the trace or the code, or, unless instructions are filtered, from
// the thread's next instruction. If the thread does not continue within feed_options::reach
// instructions, a conditional branch without outcome counts as not taken, and the target is 0.
//
// Throws the errors of file::reader, and unsupported for more than most_accesses of an instruction,
// most_encodings or most_threads. The constructor throws trace_error(not_a_trace) if the input does
// not begin as a trace.
using trace_feed = feed::composed_feed<instruction_source>;

// Returns the text of the instruction `code` at `ip`, or an empty text if it is not x86 code
// (feed/values.hpp).
inline std::string assembly_of_code(const trace_feed& feed, std::span<const std::byte> code,
                                    std::uint64_t ip) {
  auto with = make_disassembler(feed.source().type());
  return with && !code.empty() ? with->text(code, ip) : std::string();
}
inline std::optional<wire::target> code_mode(const trace_feed& feed) noexcept {
  return mode_of(feed.source().type());
}

}  // namespace tracecodec::drmemtrace

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/feed.ipp"
#endif
