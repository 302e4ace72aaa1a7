// Queries on registers and memory, for x64dbg and UMTracer traces.
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

// Bytes of a register, starting with the lowest byte. The flag of a byte is set if the byte is
// known.
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
  // Returns the names of the registers in lower case.
  [[nodiscard]] virtual std::vector<std::string> names() const = 0;
  // Returns the bytes of a register, or nullopt if there is no such register. `name` must be in
  // lower case. Must be called without the GIL.
  virtual std::optional<register_bytes> get(const std::string& name) = 0;

 private:
  std::uint64_t index_;
  std::optional<std::uint64_t> ip_;
  std::optional<std::uint32_t> thread_;
};

// Memory access of an instruction.
struct memory_touch {
  std::uint64_t index = 0;  // number of the instruction in the trace
  bool writes = false;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool reliable = true;
};

// Origin of a byte that no instruction reveals.
inline constexpr std::int64_t nowhere = -1;

// Queries on a trace. Instructions are numbered within the whole trace, as in column `index`.
// Nullopt instead of a number means the end of the trace. All functions can be called by any number
// of threads at the same time, without the GIL. The functions throw trace_error like the readers,
// py::index_error for an instruction that does not exist, and py::value_error for a range of memory
// that cannot exist.
class queries {
 public:
  queries() = default;
  queries(const queries&) = delete;
  queries& operator=(const queries&) = delete;
  virtual ~queries() = default;

  virtual std::unique_ptr<register_set> at(std::uint64_t n) = 0;
  // Copies the bytes at `address` before instruction `n` to `values`. For each byte, stores in
  // `origins` the number of the instruction that reveals the byte.
  virtual void memory(std::uint64_t address, std::optional<std::uint64_t> n,
                      std::span<std::uint8_t> values, std::span<std::int64_t> origins) = 0;
  virtual std::optional<memory_touch> last_write(std::uint64_t address, std::uint64_t size,
                                                 std::optional<std::uint64_t> before) = 0;
  // Returns the first access to the memory at `address`, starting with instruction `since`.
  virtual std::optional<memory_touch> next_access(std::uint64_t address, std::uint64_t size,
                                                  std::uint64_t since) = 0;
};

std::shared_ptr<queries> x64dbg_queries(origin& from);
std::shared_ptr<queries> umtracer_queries(origin& from);

// Throws py::index_error because instruction `n` is out of range in a trace of `count`
// instructions.
[[noreturn]] void no_instruction(std::uint64_t n, std::uint64_t count);

}  // namespace tracecodec::python
