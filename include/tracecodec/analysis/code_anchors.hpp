// Collects places in a trace's code that another run of the program also executes, wherever its
// modules are.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "../config.hpp"
#include "../feed/columns.hpp"
#include "../io/hash.hpp"

namespace tracecodec::analysis {

// Instruction that follows a sequence of instructions that is executed nowhere else.
struct code_anchor {
  std::uint64_t ip = 0;
  std::uint64_t executions = 0;  // number of executions after the sequence
  // First addresses that the first execution reads and writes, or 0 if there are none.
  std::uint64_t read = 0, written = 0;
  bool repeated = false;  // true if the sequence occurs before instructions at several addresses
};

// Sample of the code anchors of a trace. It is an analysis (run.hpp).
//
// A sequence is described by what does not depend on the addresses of modules: the differences
// between the ips of its `length` instructions, and their sizes and first bytes if both traces
// contain the code. Later bytes can contain addresses. A difference of more than `most_distance`
// bytes leads to another module, so only its existence counts. A sequence belongs to one thread.
//
// The sample contains the sequences whose hash is at most threshold(). When there are more than
// `most_anchors`, the threshold is halved. Two traces thus sample the same sequences, and each takes
// at most 16 MB of memory.
class code_anchors {
 public:
  static constexpr std::size_t length = 12, most_anchors = std::size_t{1} << 16;
  static constexpr std::uint64_t most_distance = std::uint64_t{1} << 20;

  using anchors = std::unordered_map<std::uint64_t, code_anchor, io::keyed_hash>;

  // `both` are the columns that both traces have.
  explicit code_anchors(feed::column_set both);

  // Returns the columns that batches must contain.
  [[nodiscard]] feed::column_set columns() const noexcept { return columns_; }
  void add(const feed::columns& batch);
  // Returns the anchors so far, by hash.
  [[nodiscard]] const anchors& result() const noexcept { return anchors_; }
  [[nodiscard]] std::uint64_t threshold() const noexcept { return threshold_; }

 private:
  // Last instructions of a thread.
  struct sequence {
    std::uint32_t thread = 0;
    bool is_used = false;
    std::uint64_t ip = 0, hash = 0, count = 0;
    std::array<std::uint64_t, length> steps = {};
  };
  // Number of sequences in memory. If two threads share a sequence, it begins again at each switch.
  static constexpr std::size_t most_threads = 64;

  [[nodiscard]] std::uint64_t step(const feed::columns& batch, std::size_t row,
                                   std::uint64_t distance) const noexcept;
  void keep(const feed::columns& batch, std::size_t row, std::uint64_t hash);

  feed::column_set columns_;
  std::array<sequence, most_threads> threads_ = {};
  anchors anchors_ = {};
  std::uint64_t threshold_ = ~std::uint64_t{0};
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/code_anchors.ipp"
#endif
