// Queries on registers and memory, which x64dbg and UMTracer traces support.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common.hpp"

namespace tracecodec::python {

// Bytes of a register, lowest first, with a flag for each known byte.
struct register_bytes {
  std::vector<std::uint8_t> values = {};  // 0 for unknown bytes
  std::vector<std::uint8_t> known = {};   // 1 for known bytes, 0 for unknown bytes
};

// Registers before an instruction, with the number, address and thread of that instruction.
class register_set {
 public:
  register_set(std::uint64_t index, std::optional<std::uint64_t> ip,
               std::optional<std::uint32_t> thread)
      : index_(index), ip_(ip), thread_(thread) {}
  register_set(const register_set&) = delete;
  register_set& operator=(const register_set&) = delete;
  virtual ~register_set() = default;

  [[nodiscard]] std::uint64_t index() const noexcept { return index_; }
  [[nodiscard]] std::optional<std::uint64_t> ip() const noexcept { return ip_; }
  [[nodiscard]] std::optional<std::uint32_t> thread() const noexcept { return thread_; }
  // Returns the names in lower case.
  [[nodiscard]] virtual std::vector<std::string> names() const = 0;
  // Returns the bytes of the register with this lower-case name, or nullopt if there is no such
  // register. Called without the GIL.
  virtual std::optional<register_bytes> get(const std::string& name) = 0;

 private:
  std::uint64_t index_;
  std::optional<std::uint64_t> ip_;
  std::optional<std::uint32_t> thread_;
};

// Access to memory by an instruction.
struct memory_touch {
  std::uint64_t index = 0;  // number of the instruction
  bool writes = false;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool reliable = true;
};

// Origin of a byte that no instruction reveals.
inline constexpr std::int64_t nowhere = -1;

// Queries on a trace. Instructions are numbered within the whole trace, as in column `index`;
// nullopt stands for the end of the trace. All functions are called without the GIL, by any
// number of threads. They throw trace_error like the readers, py::index_error for an
// instruction that does not exist, and py::value_error for a range of memory that cannot exist.
class questions {
 public:
  questions() = default;
  questions(const questions&) = delete;
  questions& operator=(const questions&) = delete;
  virtual ~questions() = default;

  virtual std::unique_ptr<register_set> at(std::uint64_t n) = 0;
  // Stores in `values` the bytes from `address` on, as before instruction `n`, and in `origins`
  // the number of the instruction that reveals each byte.
  virtual void memory(std::uint64_t address, std::optional<std::uint64_t> n,
                      std::span<std::uint8_t> values, std::span<std::int64_t> origins) = 0;
  virtual std::optional<memory_touch> last_write(std::uint64_t address, std::uint64_t size,
                                                 std::optional<std::uint64_t> before) = 0;
  // Returns the first access by instruction `since` or a later instruction.
  virtual std::optional<memory_touch> next_access(std::uint64_t address, std::uint64_t size,
                                                  std::uint64_t since) = 0;
};

std::shared_ptr<questions> x64dbg_questions(origin& from);
std::shared_ptr<questions> umtracer_questions(origin& from);

// Throws py::index_error, because the trace has only `count` instructions.
[[noreturn]] void no_instruction(std::uint64_t n, std::uint64_t count);

}  // namespace tracecodec::python
