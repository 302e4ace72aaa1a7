// Registers of a trace: their names, and their locations in a context.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../files.hpp"
#include "../layout/context.hpp"

namespace tracecodec::umtracer {

// View of context_map.itable. Registers are identified by their numbers in the trace's XED version.
// 0 means "no register".
class context_map {
 public:
  context_map() = default;
  // Reads the header. Throws trace_error(truncated) if the file has fewer than 17,424 bytes, and
  // trace_error(bad_value) if the map has more than 512 elements.
  explicit context_map(const trace_files& files);

  // Returns the size of a context in bytes.
  [[nodiscard]] std::uint16_t dump_size() const noexcept { return header_.dump_size; }
  // Returns the number of registers. Ids start at 0.
  [[nodiscard]] std::uint16_t size() const noexcept { return header_.element_count; }

  // Returns the number of the register that provides the common name of register `id`. Returns 0 if
  // `id` is not less than size().
  [[nodiscard]] std::uint16_t common_name(std::uint16_t id) const noexcept;
  // Returns the name of register `id`, such as "rax", or an empty string if the register has no
  // name. The name is valid as long as the file is mapped.
  [[nodiscard]] std::string_view name(std::uint16_t id) const noexcept;
  // Returns the location of register `id` in contexts of 64-bit or of 32-bit code.
  [[nodiscard]] register_info info(std::uint16_t id, bool code64) const noexcept;
  // Returns the number of the register called `wanted`, ignoring case, or nullopt if no register
  // has that name. Takes O(size()) steps.
  [[nodiscard]] std::optional<std::uint16_t> find(std::string_view wanted) const noexcept;

  // Returns the bytes of register `id` in a context, or an empty span if the context does not
  // contain all bytes.
  [[nodiscard]] std::span<const std::byte> in_context(std::span<const std::byte> context,
                                                      std::uint16_t id, bool code64) const noexcept;

 private:
  context_header header_ = {};
  const std::byte* bytes_ = nullptr;
};

inline context_map::context_map(const trace_files& files) {
  files.require(file::context_map);
  const auto all = files[file::context_map];
  if (all.size() < context_map_size)
    files.fail(file::context_map, trace_errc::truncated, all.size(), {}, "",
               "the file ends after " + std::to_string(all.size()) + " of " +
                   std::to_string(context_map_size) + " bytes");
  context_header_codec::decode(all, header_);
  if (header_.element_count > context_registers)
    files.fail(file::context_map, trace_errc::bad_value,
               context_header_codec::offset_of<&context_header::element_count>, {}, "element_count",
               std::to_string(header_.element_count) + ", but at most 512 fit");
  bytes_ = all.data();
}
inline std::uint16_t context_map::common_name(std::uint16_t id) const noexcept {
  return id < size() ? wire::u16le::load(bytes_ + common_name_offset + 2U * id) : 0;
}
inline std::string_view context_map::name(std::uint16_t id) const noexcept {
  if (id >= size()) return {};
  const auto* p =
      reinterpret_cast<const char*>(bytes_ + name_offset + register_name_codec::size * id);
  const std::string_view all(p, register_name_codec::size);
  return all.substr(0, all.find('\0'));
}
inline register_info context_map::info(std::uint16_t id, bool code64) const noexcept {
  if (id >= size()) return {0xFFFF, 0, 0};
  return register_info_codec::load(bytes_ + (code64 ? map64_offset : map32_offset) +
                                   register_info_codec::size * id);
}
inline std::optional<std::uint16_t> context_map::find(std::string_view wanted) const noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  for (std::uint16_t id = 0; id < size(); ++id) {
    const std::string_view n = name(id);
    if (n.size() != wanted.size()) continue;
    bool same = true;
    for (std::size_t i = 0; i < n.size(); ++i) same &= lower(n[i]) == lower(wanted[i]);
    if (same) return id;
  }
  return std::nullopt;
}
inline std::span<const std::byte> context_map::in_context(std::span<const std::byte> context,
                                                          std::uint16_t id,
                                                          bool code64) const noexcept {
  const register_info r = info(id, code64);
  if (!r.present() || std::size_t{r.offset} + r.size > context.size()) return {};
  return context.subspan(r.offset, r.size);
}

}  // namespace tracecodec::umtracer
