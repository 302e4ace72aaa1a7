// The function of trace/layouts.hpp.
#pragma once
#include <array>

#include "../../champsim/layout.hpp"
#include "../../rapidbin/layout.hpp"
#include "../../umtracer/layout.hpp"
#include "../../x64dbg/layout/regdump.hpp"
#include "../layouts.hpp"

namespace tracecodec::trace {

namespace detail {
template <class Codec> layout layout_of(std::string_view title, std::string_view name) noexcept {
  return {title, name, wire::layout_table<Codec>, wire::layout_nodes<Codec>};
}

template <x64dbg::target T> std::span<const layout> layouts_of_x64dbg() {
  static const std::array all{
      layout_of<x64dbg::prefix_codec>("Prefix, then `length` bytes of JSON", "prefix"),
      layout_of<x64dbg::block_codec<T>>("Instruction, type 0", "block"),
      layout_of<x64dbg::user_block_codec<T>>("User block, types 128 to 255", "user_block"),
      layout_of<x64dbg::regdump_codec<T>>(
          "Registers: word N of an instruction's values is the N-th word of REGDUMP", "regdump")};
  return all;
}

inline std::span<const layout> layouts_of_umtracer() {
  namespace u = umtracer;
  static const std::array all{
      layout_of<u::exec_header_codec>("exec.vtable begins", "exec_header"),
      layout_of<u::exec_record_codec>("execRec, before its data", "exec_record"),
      layout_of<u::context_record_codec>("rmContext, before its memory references",
                                         "context_record"),
      layout_of<u::context_memory_codec>("contextMem", "context_memory"),
      layout_of<u::neighbours_codec>("exec.prev_next.column", "neighbours"),
      layout_of<u::table_header_codec>("Tables of rows of one size begin", "table_header"),
      layout_of<u::extra_header_codec>("ins.itable and module.itable go on", "extra_header"),
      layout_of<u::instruction_codec>("insRec", "instruction_record"),
      layout_of<u::decoded_codec>("decodedIns", "decoded_instruction"),
      layout_of<u::slot_codec>("lcSlot", "slot"),
      layout_of<u::syscall_header_codec>("syscall.vtable begins", "syscall_header"),
      layout_of<u::syscall_place_codec>("syscall.offsets", "syscall_place"),
      layout_of<u::syscall_codec>("syscallRec", "syscall_record"),
      layout_of<u::module_codec>("moduleRec", "module_record"),
      layout_of<u::module_version_codec>("moduleRec of 64 bytes goes on", "module_version"),
      layout_of<u::thread_codec>("threadRec", "thread_record"),
      layout_of<u::address_range_codec>("addressRange", "address_range"),
      layout_of<u::context_header_codec>("context_map.itable begins", "context_header"),
      layout_of<u::register_info_codec>("regInfo", "register_info")};
  return all;
}
}  // namespace detail

TRACECODEC_FUNC std::span<const layout> layouts_of(format f, bool narrow) {
  static const std::array champsim{
      detail::layout_of<champsim::instruction_codec>("", "instruction")};
  static const std::array cloudsuite{
      detail::layout_of<champsim::cloudsuite_codec>("", "cloudsuite_instruction")};
  static const std::array events{detail::layout_of<rapidbin::header_codec>("Header", "header"),
                                 detail::layout_of<rapidbin::event_codec>("Event", "event")};
  switch (f) {
    case format::champsim:
      return champsim;
    case format::cloudsuite:
      return cloudsuite;
    case format::rapidbin:
    case format::std:
      return events;
    case format::umtracer:
      return detail::layouts_of_umtracer();
    case format::x64dbg:
      break;
  }
  return narrow ? detail::layouts_of_x64dbg<x64dbg::target::x86>()
                : detail::layouts_of_x64dbg<x64dbg::target::x64>();
}

}  // namespace tracecodec::trace
