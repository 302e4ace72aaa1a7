// Questions about registers and memory, which x64dbg's and UMTracer's traces answer.
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

// A register's bytes, from the lowest one, and which of them are known.
struct register_bytes {
  std::vector<std::uint8_t> values = {};  // 0 where unknown
  std::vector<std::uint8_t> known = {};   // 1 or 0
};

// The registers before an instruction, and which one it is.
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
  // In lower case.
  [[nodiscard]] virtual std::vector<std::string> names() const = 0;
  // By its name in lower case; nullopt if there is none such. Without the lock.
  virtual std::optional<register_bytes> get(const std::string& name) = 0;

 private:
  std::uint64_t index_;
  std::optional<std::uint64_t> ip_;
  std::optional<std::uint32_t> thread_;
};

// Who touches memory.
struct memory_touch {
  std::uint64_t index = 0;  // of the instruction
  bool writes = false;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool reliable = true;
};

// Where no instruction has told a byte.
inline constexpr std::int64_t nowhere = -1;

// Instructions by their numbers in the whole trace, as column `index` has them; nullopt: the end. All without the lock,
// by any number of threads. They throw trace_error as the readers, py::index_error for an instruction that there is
// not, py::value_error for memory that there cannot be.
class questions {
 public:
  questions() = default;
  questions(const questions&) = delete;
  questions& operator=(const questions&) = delete;
  virtual ~questions() = default;

  virtual std::unique_ptr<register_set> at(std::uint64_t n) = 0;
  // Bytes from `address` on before instruction `n`, and of each the instruction that tells it.
  virtual void memory(std::uint64_t address, std::optional<std::uint64_t> n,
                      std::span<std::uint8_t> values, std::span<std::int64_t> origins) = 0;
  virtual std::optional<memory_touch> last_write(std::uint64_t address, std::uint64_t size,
                                                 std::optional<std::uint64_t> before) = 0;
  // By instruction `since`, or a later one.
  virtual std::optional<memory_touch> next_access(std::uint64_t address, std::uint64_t size,
                                                  std::uint64_t since) = 0;
};

std::shared_ptr<questions> x64dbg_questions(origin& from);
std::shared_ptr<questions> umtracer_questions(origin& from);

// Throws py::index_error.
[[noreturn]] void no_instruction(std::uint64_t n, std::uint64_t count);

}  // namespace tracecodec::python
