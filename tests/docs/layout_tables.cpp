// Prints the layout tables that docs/ shows, generated from the descriptors: "@NAME", then the table.
#include <cstdio>
#include <string_view>

#include "tracecodec/champsim/layout.hpp"
#include "tracecodec/rapidbin/layout.hpp"
#include "tracecodec/wire/table.hpp"
#include "tracecodec/x64dbg/regdump.hpp"

namespace {
void out(std::string_view s) { std::fwrite(s.data(), 1, s.size(), stdout); }
template <class Codec> void table(std::string_view name) {
  std::printf("@%.*s\n", static_cast<int>(name.size()), name.data());
  tracecodec::wire::print_markdown(tracecodec::wire::layout_table<Codec>, out);
}
}  // namespace

int main() {
  table<tracecodec::champsim::instruction_codec>("champsim::instruction");
  table<tracecodec::champsim::cloudsuite_codec>("champsim::cloudsuite_instruction");
  table<tracecodec::rapidbin::header_codec>("rapidbin::header");
  table<tracecodec::rapidbin::event_codec>("rapidbin::event");
  namespace x64dbg = tracecodec::x64dbg;
  table<x64dbg::prefix_codec>("x64dbg::prefix");
  table<x64dbg::block_codec<x64dbg::target::x64>>("x64dbg::block<x64>");
  table<x64dbg::block_codec<x64dbg::target::x86>>("x64dbg::block<x86>");
  table<x64dbg::user_block_codec>("x64dbg::user_block");
  table<x64dbg::regdump_codec<x64dbg::target::x64>>("x64dbg::regdump<x64>");
  table<x64dbg::regdump_codec<x64dbg::target::x86>>("x64dbg::regdump<x86>");
}
