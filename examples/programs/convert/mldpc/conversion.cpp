#include "conversion.hpp"

#include <tracecodec/mldpc/descriptor.hpp>
#include <tracecodec/mldpc/rows.hpp>

#include <array>
#include <cstdint>
#include <utility>

#include "../listed/from_columns.hpp"
#include "../selected.hpp"
#include "../write_rows.hpp"

namespace convert {

namespace {

namespace mldpc = tracecodec::mldpc;

void any_to_mldpc(tracecodec::trace::source in, const options& o, const format& /*to*/,
                  io::codec compression) {
  say("the trace stores neither cycles nor hits in the last-level cache: the number of the "
      "instruction replaces the cycle, and every load is a miss");
  write_listed<mldpc::trace_file>(std::move(in), o, compression,
                                  [](std::uint64_t index, const auto& i, auto sink) {
                                    mldpc::write_instruction(index, i.ip, i.list, sink);
                                  });
}

void copy_mldpc(tracecodec::trace::source in, const options& o, const format& /*to*/,
                io::codec compression) {
  refuse_pack(o);
  tracecodec::file::reader<mldpc::trace_file> from(std::move(in.input()));
  tracecodec::file::writer<mldpc::trace_file> out(io::open_output(o.out, compression, o.packing),
                                                  output_name(o));
  const auto failure =
      for_each_selected(from, o, [&out](std::uint64_t, const mldpc::load& l) { out.write(l); });
  finish(out, out.written(), failure, o);
}
void mldpc_to_rows(tracecodec::trace::source in, const options& o, io::codec compression) {
  tracecodec::file::reader<mldpc::trace_file> from(std::move(in.input()));
  with_rows<mldpc::row>(o, compression, [&](auto& out) {
    return for_each_selected(from, o, [&out](std::uint64_t index, const mldpc::load& l) {
      out.write(mldpc::row_of(index, l));
    });
  });
}

constexpr std::array<conversion_target, 1> mldpc_targets{
    {{.to = &mldpc::descriptor::facts, .write = copy_mldpc}}};

}  // namespace

constexpr format_conversion mldpc_conversion{.format = &mldpc::descriptor::facts,
                                             .targets = mldpc_targets,
                                             .to_rows = mldpc_to_rows,
                                             .from_any = any_to_mldpc,
                                             .output = "loads as in ML-DPC's traces"};

}  // namespace convert
