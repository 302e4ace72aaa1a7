// Instructions of drmemtrace traces for simulators and columns.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "../feed/composed.hpp"
#include "../file/reader.hpp"
#include "../x86/any_disassembler.hpp"
#include "operands.hpp"
#include "trace_file.hpp"

namespace tracecodec::drmemtrace {

struct feed_options {
  std::optional<std::uint32_t> thread = {};  // thread whose instructions are read, or all threads
  // Maximum number of instructions that the feed holds back until a thread continues.
  std::size_t reach = 65536;
};

// Code of an instruction.
struct encoding {
  std::uint64_t ip = 0;
  std::uint64_t target = 0;  // target of a direct branch, if the disassembler decodes it, or 0
  std::array<std::byte, 16> bytes = {};
  register_operands operands = {};
  std::uint8_t length = 0;
  branch_class branch = branch_class::not_branch;
  bool decoded = true;  // false if the bytes are not an instruction

  [[nodiscard]] std::span<const std::byte> code() const noexcept {
    return std::span(bytes).first(length);
  }
};

// Returns the disassembler for a trace of type `type`, if this build has one.
TRACECODEC_FUNC std::optional<x86::any_disassembler> make_disassembler(std::uint64_t type);

// Composer of the instructions of a trace. Without an encoding, or without a disassembler for the
// processor, the registers are only those from which ChampSim derives the class of a branch.
class instruction_source : public feed::composer {
 public:
  using options_type = feed_options;
  // Maximum number of encodings, which use about 0.5 GB.
  static constexpr std::size_t most_encodings = std::size_t{1} << 22;

  instruction_source(io::input in, const feed_options& options);

  // Returns the value of the last marker `filetype` (struct file_type), or 0.
  [[nodiscard]] std::uint64_t type() const noexcept { return type_; }
  [[nodiscard]] feed::column_set lacks() const noexcept {
    if ((type_ & file_type::encodings) != 0 && !synthetic()) return {};
    return {feed::column::code};
  }
  [[nodiscard]] const register_operands& operands(
      const feed::composed_instruction& i) const noexcept {
    static constexpr auto without_encoding = [] {
      std::array<register_operands, feed::branch_class_count> all{};
      for (std::size_t n = 0; n != all.size(); ++n)
        all[n] = register_operands(static_cast<branch_class>(n));
      return all;
    }();
    if (i.code == feed::no_code) return without_encoding[static_cast<std::size_t>(i.branch)];
    return codes_[i.code].operands;
  }
  // Returns no bytes for the synthetic encodings of REGDEPS.
  [[nodiscard]] std::span<const std::byte> code(
      const feed::composed_instruction& i) const noexcept {
    if (i.code == feed::no_code || synthetic()) return {};
    return codes_[i.code].code();
  }
  [[nodiscard]] bool decoded(const feed::composed_instruction& i) const noexcept {
    return i.code == feed::no_code || codes_[i.code].decoded;
  }

  [[nodiscard]] const any_reader& records() const noexcept { return records_; }

 protected:
  bool read();

 private:
  struct thread_state {
    thread composing = {};
    feed::code_versions<encoding>::own_versions versions = {};
    std::uint64_t pc = 0, next = 0;               // of the last instruction
    std::uint64_t marked_target = 0, window = 0;  // values of markers
    encoding_bytes next_code = {};
  };

  template <target T> const char* add(const entry<T>& e);
  void set_type(std::uint64_t type);
  void add_marker(marker m, std::uint64_t value);
  bool add_instruction(record_type what, std::uint64_t ip, std::uint64_t length);
  feed::composed_instruction& start(thread_state& t, std::uint64_t ip, bool fetched);
  encoding decode(std::uint64_t ip, std::span<const std::byte> bytes, branch_class branch);
  [[nodiscard]] bool synthetic() const noexcept { return (type_ & file_type::regdeps) != 0; }
  thread_state& now() {
    if (now_ == nullptr) now_ = &threads_[id_];
    return *now_;
  }

  feed_options options_;
  any_reader records_;
  feed::code_versions<encoding> codes_ = {};
  std::optional<x86::any_disassembler> disassembler_ = {};
  std::unordered_map<std::uint32_t, thread_state> threads_ = {};
  std::uint32_t id_ = 0;
  thread_state* now_ = nullptr;  // state of thread `id_`, or null if it must be looked up
  std::uint64_t type_ = 0;
};

// Feed of a trace (feed::stream, and a range): the instructions of all threads in the order of the
// records. Further iterations of a rep string instruction are instructions of their own, which are
// not fetched(). Markers and prefetches are not instructions.
//
// The target of a branch comes from the trace or the code, or from the next instruction of the same
// thread. If the thread does not continue within feed_options::reach instructions, a conditional
// branch without outcome counts as not taken, and the target is 0. If the instructions of a trace are
// filtered, only the trace and the code provide targets.
//
// Throws the errors of file::reader, and unsupported for more than most_accesses of an instruction,
// and for more than most_encodings. The constructor throws trace_error(not_a_trace) if the input does
// not begin as a trace.
using trace_feed = feed::composed_feed<instruction_source>;

}  // namespace tracecodec::drmemtrace

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/feed.ipp"
#endif
