// The layout of each format's records, as tables printed from their descriptors.
#pragma once
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/feed/open.hpp>
#include <tracecodec/rapidbin/layout.hpp>
#include <tracecodec/umtracer/context_layout.hpp>
#include <tracecodec/umtracer/exec_layout.hpp>
#include <tracecodec/umtracer/instruction_layout.hpp>
#include <tracecodec/umtracer/syscall_layout.hpp>
#include <tracecodec/wire/table.hpp>
#include <tracecodec/x64dbg/regdump.hpp>

#include <string>
#include <string_view>

namespace view {

template <class Codec> void add_table(std::string& s) {
  tracecodec::wire::print_table(tracecodec::wire::layout_table<Codec>,
                                [&s](std::string_view piece) { s += piece; });
}

template <tracecodec::x64dbg::target T> void add_x64dbg_layout(std::string& s) {
  namespace x64dbg = tracecodec::x64dbg;
  s += "Prefix, then `length` bytes of JSON\n";
  add_table<x64dbg::prefix_codec>(s);
  s += "\nInstruction, type 0\n";
  add_table<x64dbg::block_codec<T>>(s);
  s += "\nUser block, types 128 to 255\n";
  add_table<x64dbg::user_block_codec>(s);
  s += "\nRegisters: word N of an instruction's values is the N-th word of REGDUMP\n";
  add_table<x64dbg::regdump_codec<T>>(s);
}

inline void add_rapidbin_layout(std::string& s) {
  namespace rapidbin = tracecodec::rapidbin;
  s += "Header\n";
  add_table<rapidbin::header_codec>(s);
  s += "\nEvent\n";
  add_table<rapidbin::event_codec>(s);
}

inline void add_umtracer_layout(std::string& s) {
  namespace umtracer = tracecodec::umtracer;
  const auto add = [&s]<class Codec>(std::string_view title, Codec) {
    (s += title) += '\n';
    add_table<Codec>(s);
    s += '\n';
  };
  add("exec.vtable begins", umtracer::exec_header_codec{});
  add("execRec, before its data", umtracer::exec_record_codec{});
  add("rmContext, before its memory references", umtracer::context_record_codec{});
  add("contextMem", umtracer::context_memory_codec{});
  add("exec.prev_next.column", umtracer::neighbours_codec{});
  add("Tables of rows of one size begin", umtracer::table_header_codec{});
  add("ins.itable and module.itable go on", umtracer::extra_header_codec{});
  add("insRec", umtracer::instruction_codec{});
  add("decodedIns", umtracer::decoded_codec{});
  add("lcSlot", umtracer::slot_codec{});
  add("syscall.vtable begins", umtracer::syscall_header_codec{});
  add("syscall.offsets", umtracer::syscall_place_codec{});
  add("syscallRec", umtracer::syscall_codec{});
  add("moduleRec", umtracer::module_codec{});
  add("moduleRec of 64 bytes goes on", umtracer::module_version_codec{});
  add("threadRec", umtracer::thread_codec{});
  add("addressRange", umtracer::address_range_codec{});
  add("context_map.itable begins", umtracer::context_header_codec{});
  add("regInfo", umtracer::register_info_codec{});
  s.pop_back();
}

// `narrow`: of 32-bit programs.
inline void add_layout(std::string& s, tracecodec::feed::format f, bool narrow) {
  using tracecodec::feed::format;
  namespace champsim = tracecodec::champsim;
  if (f == format::cloudsuite)
    add_table<champsim::cloudsuite_codec>(s);
  else if (f == format::champsim)
    add_table<champsim::instruction_codec>(s);
  else if (has_events(f))
    add_rapidbin_layout(s);
  else if (f == format::umtracer)
    add_umtracer_layout(s);
  else if (narrow)
    add_x64dbg_layout<tracecodec::x64dbg::target::x86>(s);
  else
    add_x64dbg_layout<tracecodec::x64dbg::target::x64>(s);
}

}  // namespace view
