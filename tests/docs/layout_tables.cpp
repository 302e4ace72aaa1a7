// Prints the layout tables of docs/, generated from the descriptors. The output for each is a line
// "@NAME", then the table.
#include <cstdio>
#include <string_view>

#include "tracecodec/champsim/layout.hpp"
#include "tracecodec/cvp/layout.hpp"
#include "tracecodec/drmemtrace/layout.hpp"
#include "tracecodec/query/layout.hpp"
#include "tracecodec/rapidbin/layout.hpp"
#include "tracecodec/stf/layout.hpp"
#include "tracecodec/tracepack/layout.hpp"
#include "tracecodec/umtracer/layout/context.hpp"
#include "tracecodec/umtracer/layout/exec.hpp"
#include "tracecodec/umtracer/layout/instruction.hpp"
#include "tracecodec/umtracer/layout/syscall.hpp"
#include "tracecodec/wire/table.hpp"
#include "tracecodec/x64dbg/layout/regdump.hpp"
#ifdef TRACECODEC_WITH_SIMDJSON  // the index belongs to a reader that needs simdjson
#include "tracecodec/x64dbg/reader/index_file.hpp"
#endif

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
  namespace cvp = tracecodec::cvp;
  table<cvp::codec<cvp::dialect::cvp1>>("cvp::cvp1_instruction");
  table<cvp::codec<cvp::dialect::cbp2025>>("cvp::cbp2025_instruction");
  table<tracecodec::drmemtrace::codec<tracecodec::wire::target::x64>>("drmemtrace::record");
  table<tracecodec::stf::header_codec>("stf::header");
  namespace tracepack = tracecodec::tracepack;
  table<tracepack::front_codec>("tracepack::front");
  table<tracepack::about_codec>("tracepack::about_record");
  table<tracepack::frame_codec>("tracepack::frame_header");
  table<tracepack::stream_codec>("tracepack::stream_header");
  table<tracepack::index_codec>("tracepack::index_header");
  table<tracepack::entry_codec>("tracepack::index_entry");
  table<tracepack::end_codec>("tracepack::end_of_file");
  namespace query = tracecodec::query;
  table<query::front_codec>("query::front");
  table<query::section_codec>("query::section");
  table<query::totals_codec>("query::posting_totals");
  table<query::anchor_codec>("query::anchor");
  table<query::skip_codec>("query::skip");
  namespace umtracer = tracecodec::umtracer;
  table<umtracer::c_string_codec>("umtracer::c_string");
  table<umtracer::u_string_codec>("umtracer::u_string");
  table<umtracer::table_header_codec>("umtracer::table_header");
  table<umtracer::extra_header_codec>("umtracer::extra_header");
  table<umtracer::exec_header_codec>("umtracer::exec_header");
  table<umtracer::exec_record_codec>("umtracer::exec_record");
  table<umtracer::context_record_codec>("umtracer::context_record");
  table<umtracer::context_memory_codec>("umtracer::context_memory");
  table<umtracer::neighbours_codec>("umtracer::neighbours");
  table<umtracer::instruction_codec>("umtracer::instruction_record");
  table<umtracer::decoded_codec>("umtracer::decoded_instruction");
  table<umtracer::explicit_operand_codec>("umtracer::explicit_operand");
  table<umtracer::slot_codec>("umtracer::slot");
  table<umtracer::syscall_header_codec>("umtracer::syscall_header");
  table<umtracer::syscall_place_codec>("umtracer::syscall_place");
  table<umtracer::syscall_codec>("umtracer::syscall_record");
  table<umtracer::module_codec>("umtracer::module_record");
  table<umtracer::module_version_codec>("umtracer::module_version");
  table<umtracer::thread_codec>("umtracer::thread_record");
  table<umtracer::address_range_codec>("umtracer::address_range");
  table<umtracer::context_header_codec>("umtracer::context_header");
  table<umtracer::register_info_codec>("umtracer::register_info");
  namespace x64dbg = tracecodec::x64dbg;
  table<x64dbg::prefix_codec>("x64dbg::prefix");
  table<x64dbg::block_codec<x64dbg::target::x64>>("x64dbg::block<x64>");
  table<x64dbg::block_codec<x64dbg::target::x86>>("x64dbg::block<x86>");
  table<x64dbg::user_block_codec<x64dbg::target::x64>>("x64dbg::user_block");
  table<x64dbg::regdump_codec<x64dbg::target::x64>>("x64dbg::regdump<x64>");
  table<x64dbg::regdump_codec<x64dbg::target::x86>>("x64dbg::regdump<x86>");
  // Elements of the arrays, with the same natural alignment as the whole record.
  namespace wire = tracecodec::wire;
  table<wire::record<x64dbg::xmm_register, wire::order::little, wire::placement::natural>>(
      "x64dbg::xmm_register");
  table<wire::record<x64dbg::ymm_register, wire::order::little, wire::placement::natural>>(
      "x64dbg::ymm_register");
  table<wire::record<x64dbg::x87_register, wire::order::little, wire::placement::natural>>(
      "x64dbg::x87_register");
#ifdef TRACECODEC_WITH_SIMDJSON
  table<x64dbg::index_prefix_codec>("x64dbg::index_prefix");
  table<x64dbg::index_entry_codec>("x64dbg::index_entry");
#endif
}
