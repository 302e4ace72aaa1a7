// Which registers a trace has, what they are called, and where they lie in a context.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "../../config.hpp"
#include "../files.hpp"
#include "../layout/context.hpp"

namespace tracecodec::umtracer {

// A view of context_map.itable. Registers are named by their number in the trace's own XED; 0 is
// no register.
class context_map {
 public:
  context_map() = default;
  // Throws trace_error: truncated if the file has less than 17,424 bytes; bad_value for more than
  // 512 elements.
  explicit context_map(const trace_files& files);

  // Bytes of a context.
  [[nodiscard]] std::uint16_t dump_size() const noexcept { return header_.dump_size; }
  // How many registers have numbers, from 0.
  [[nodiscard]] std::uint16_t size() const noexcept { return header_.element_count; }

  // Register `id`; nothing for an id that is not below size().
  [[nodiscard]] std::uint16_t common_name(std::uint16_t id) const noexcept;
  // "rax"; empty for none. As long as the file lives.
  [[nodiscard]] std::string_view name(std::uint16_t id) const noexcept;
  // Where it lies in contexts of 64-bit or of 32-bit code.
  [[nodiscard]] register_info info(std::uint16_t id, bool code64) const noexcept;
  // The number of a register's name, in any case of letters; nullopt if there is none. O(size()).
  [[nodiscard]] std::optional<std::uint16_t> find(std::string_view wanted) const noexcept;

  // The bytes of register `id` in a context; empty if it is not in it, or leaves it.
  [[nodiscard]] std::span<const std::byte> in_context(std::span<const std::byte> context,
                                                      std::uint16_t id, bool code64) const noexcept;

 private:
  context_header header_ = {};
  const std::byte* bytes_ = nullptr;
};

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/context_map.ipp"
#endif
