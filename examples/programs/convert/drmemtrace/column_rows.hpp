// Writes the instructions of any trace as a drmemtrace trace.
#pragma once
#include <tracecodec/feed/columns.hpp>
#include <tracecodec/trace/reader.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "output.hpp"

namespace convert {

// An instruction is written when its thread's next one is known, because this one may determine the
// length and the target.
// `Output` is drmemtrace_output or drmemtrace_folder.
template <class Output> class drmemtrace_rows {
 public:
  // If `code` is true, the trace has column::code, and the code is written.
  drmemtrace_rows(tracecodec::trace::reader& from, Output& to, bool code)
      : from_(from), to_(to), code_(code), sized_(from.has().has(column::size)) {
    using tracecodec::feed::column_set;
    from.want(column_set{column::ip, column::branch, column::taken, column::target, column::thread,
                         column::memory} |
              (code ? column_set{column::code}
                    : column_set{column::destination_registers, column::source_registers}) |
              (sized_ ? column_set{column::size} : column_set{}));
  }

  // Reads the next batch of instructions. Returns false at the end. Throws like the reader.
  bool next() { return from_.next(batch_); }
  // Writes the batch.
  void write() {
    for (std::size_t row = 0; row != batch_.size(); ++row) {
      const std::uint64_t ip = batch_.ip()[row];
      const bool other = count_ != 0 && held_.front().what.thread != batch_.thread()[row];
      // Iterations of a rep string instruction have the same length, which the next instruction shows.
      const bool repeats = count_ != 0 && !other && is_iteration(row);
      if (!repeats || count_ == most_held)
        write_held(other || repeats ? std::nullopt : std::optional(ip));
      hold(row);
    }
  }
  // Writes the last instruction.
  void end() { write_held({}); }

 private:
  using column = tracecodec::feed::column;
  static constexpr std::size_t most_held = 4096;
  struct instruction {
    tracecodec::drmemtrace::written_instruction what = {};
    std::vector<std::byte> code = {};
    std::vector<tracecodec::feed::listed_access> accesses = {};
    std::vector<std::uint8_t> written = {}, read = {};
  };

  [[nodiscard]] bool is_iteration(std::size_t row) const {
    constexpr auto none = tracecodec::feed::branch_class::not_branch;
    const auto& last = held_.front().what;
    return last.length == 0 && last.code.empty() && last.ip == batch_.ip()[row] &&
           last.branch == none && batch_.branch()[row] == none;
  }
  void hold(std::size_t row) {
    if (count_ == held_.size()) held_.emplace_back();
    instruction& i = held_[count_++];
    i.what = {.ip = batch_.ip()[row],
              .target = batch_.target()[row],
              .thread = batch_.thread()[row],
              .length = sized_ ? batch_.code_size()[row] : 0,
              .branch = batch_.branch()[row],
              .taken = batch_.taken()[row] != 0};
    if (code_) {
      const auto code = batch_.code()[row];
      // An instruction has up to 15 bytes. Code of another size is unknown.
      i.code.clear();
      if (code.size() <= 16) i.code.assign(code.begin(), code.end());
      i.what.code = i.code;
    } else {
      const auto written = batch_.destination_registers()[row];
      const auto read = batch_.source_registers()[row];
      i.written.assign(written.begin(), written.end());
      i.read.assign(read.begin(), read.end());
      i.what.written = i.written;
      i.what.read = i.read;
    }
    i.accesses.clear();
    const auto& memory = batch_.memory();
    for (std::size_t n = memory.begin(row); n != memory.end(row); ++n)
      i.accesses.push_back(
          {memory.address[n], static_cast<std::uint32_t>(memory.size[n]), memory.write[n] != 0});
    i.what.accesses = i.accesses;
  }
  void write_held(std::optional<std::uint64_t> next_ip) {
    for (std::size_t n = 0; n != count_; ++n) {
      held_[n].what.next = next_ip;
      to_.add(held_[n].what);
    }
    count_ = 0;
  }

  tracecodec::trace::reader& from_;
  Output& to_;
  bool code_, sized_;
  tracecodec::feed::columns batch_ = {};
  std::vector<instruction> held_ = {};
  std::size_t count_ = 0;  // number of instructions that are held back
};

}  // namespace convert
