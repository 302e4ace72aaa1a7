// Implementation of x64dbg/descriptor.hpp.
#pragma once
#include <array>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "../descriptor.hpp"
#include "../layout/regdump.hpp"
#if TRACECODEC_OPENS_X64DBG
#include "../check.hpp"
#endif

namespace tracecodec::x64dbg {

namespace detail {

TRACECODEC_FUNC bool set_mode(format::own_options& to, const std::string& value) {
  for (const auto& [name, mode] : {std::pair{"minimal", writer_mode::minimal},
                                   {"union", writer_mode::exact_union},
                                   {"raw", writer_mode::raw}})
    if (value == name) return to.edit<output_options>().mode = mode, true;
  return false;
}
TRACECODEC_FUNC bool set_snapshots(format::own_options& to, const std::string& value) {
  std::uint32_t n = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (error != std::errc() || end != value.data() + value.size() || n == 0) return false;
  to.edit<output_options>().snapshot_distance = n;
  return true;
}
TRACECODEC_FUNC bool has_mode(const format::own_options& in) {
  const auto* const how = in.get<output_options>();
  return how != nullptr && how->mode.has_value();
}
TRACECODEC_FUNC bool has_snapshots(const format::own_options& in) {
  const auto* const how = in.get<output_options>();
  return how != nullptr && how->snapshot_distance.has_value();
}

template <target T> std::span<const format::layout> layouts_of() {
  static const std::array all{
      format::layout_of<prefix_codec>("Prefix, then `length` bytes of JSON", "prefix"),
      format::layout_of<block_codec<T>>("Instruction, type 0", "block"),
      format::layout_of<user_block_codec<T>>("User block, types 128 to 255", "user_block"),
      format::layout_of<regdump_codec<T>>(
          "Registers: word N of an instruction's values is the N-th word of REGDUMP", "regdump")};
  return all;
}
}  // namespace detail

TRACECODEC_FUNC std::span<const format::layout> descriptor::layouts(bool narrow) {
  return narrow ? detail::layouts_of<target::x86>() : detail::layouts_of<target::x64>();
}

#if TRACECODEC_OPENS_X64DBG
TRACECODEC_FUNC bool descriptor::is_narrow(format::opened from) {
  io::window window(std::move(*from.input));
  return read_header(window).arch == target::x86;
}

TRACECODEC_FUNC void descriptor::about(format::opened from, format::statements& to) {
  io::window window(std::move(*from.input));
  const trace_header h = read_header(window);
  to.add("program", h.path);
  to.add("arch", std::string(arch_name(h.arch)));
  if (h.hash) to.add("hash_algorithm", h.hash_algorithm);
  to.add("hash", h.hash);
  for (const auto& [key, value] : h.unknown) to.add(key, value);
}

TRACECODEC_FUNC format::check_summary descriptor::check(format::opened from,
                                                        const format::on_finding& report,
                                                        const check_options& how,
                                                        const format::open_options&) {
  const check_summary sum = x64dbg::check(std::move(*from.input), report, how);
  return format::summary_of(sum.instructions, sum);
}
#endif

}  // namespace tracecodec::x64dbg
