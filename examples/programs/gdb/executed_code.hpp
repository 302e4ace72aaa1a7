// Threads and code of a whole trace, which one pass over the trace collects.
#pragma once
#include <tracecodec/feed/column_source.hpp>
#include <tracecodec/io/hash.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace debug {

struct thread_range {
  std::uint32_t thread = 0;
  std::uint64_t first = 0, last = 0;  // numbers of its instructions
};

class executed_code {
 public:
  // Maximum number of different instructions whose code is kept, and of threads.
  static constexpr std::size_t most_code = std::size_t{1} << 20, most_threads = 65536;

  // Reads the trace up to its end, or to an error. Calls passed() after each batch. If the trace has
  // neither threads nor code, only counts its instructions.
  executed_code(tracecodec::feed::column_source& trace, const std::function<void()>& passed);

  // Returns the number of instructions before the end or the error.
  [[nodiscard]] std::uint64_t instructions() const noexcept { return instructions_; }
  // Returns the message of the error that ended the trace, or an empty text.
  [[nodiscard]] const std::string& error() const noexcept { return error_; }
  // Returns the threads in the order of their first instructions.
  [[nodiscard]] const std::vector<thread_range>& threads() const noexcept { return threads_; }
  // Returns the byte of code at an address, as of instruction `at`: from the last version that was
  // executed before or at that instruction, or else from the first one afterwards.
  [[nodiscard]] std::optional<std::byte> at(std::uint64_t address, std::uint64_t at) const;

 private:
  // Code of an instruction, from the first time that it was executed after another one at the same
  // address.
  struct version {
    std::uint64_t ip = 0, since = 0;
    std::size_t begin = 0;
    std::uint8_t size = 0;
  };
  static constexpr std::uint8_t longest = 16;  // bytes of an instruction

  void add(const tracecodec::feed::columns& batch, bool has_threads, bool has_code);

  std::uint64_t instructions_ = 0;
  std::string error_ = {};
  std::vector<thread_range> threads_ = {};
  std::unordered_map<std::uint32_t, std::size_t> numbers_ = {};  // places in `threads_`
  // Last version at each address, while the trace is read.
  std::unordered_map<std::uint64_t, std::size_t, tracecodec::io::keyed_hash> newest_ = {};
  std::vector<version> code_ = {};  // sorted by address and time when the trace was read
  std::vector<std::byte> bytes_ = {};
};

}  // namespace debug
