// The layout of each format's records, as tables printed from their descriptors.
#pragma once
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/feed/open.hpp>
#include <tracecodec/rapidbin/layout.hpp>
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
  else if (narrow)
    add_x64dbg_layout<tracecodec::x64dbg::target::x86>(s);
  else
    add_x64dbg_layout<tracecodec::x64dbg::target::x64>(s);
}

}  // namespace view
