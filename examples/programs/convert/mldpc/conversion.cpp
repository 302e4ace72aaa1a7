#include "conversion.hpp"

#include <tracecodec/mldpc/descriptor.hpp>
#include <tracecodec/mldpc/rows.hpp>

#include <array>
#include <cstdint>
#include <exception>
#include <utility>

#include "../listed/from_columns.hpp"
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

// Calls each(index, load) for the loads that the options select. Returns the error that ended the
// trace early, or null.
template <class Each>
std::exception_ptr for_each_load(tracecodec::trace::source in, const options& o, Each each) {
  tracecodec::file::reader<mldpc::trace_file> from(std::move(in.input()));
  examples::progress_line progress(o.in);
  std::uint64_t left = o.part.limit.value_or(~std::uint64_t{0});
  try {
    from.skip(o.part.skip);
    for (auto b = from.next(); b.size() != 0 && left != 0; b = from.next()) {
      stop_if_interrupted();
      for (std::uint64_t index = b.first; const mldpc::load& l : b)
        if (left != 0) each(index++, l), --left;
      progress.at(from.progress());
    }
  } catch (const io::interruption&) {
    throw;
  } catch (const tracecodec::trace_error&) {
    return std::current_exception();
  }
  return nullptr;
}
void copy_mldpc(tracecodec::trace::source in, const options& o, const format& /*to*/,
                io::codec compression) {
  if (is_packed(o)) throw usage_error("tracepack does not store lines of text");
  tracecodec::file::writer<mldpc::trace_file> out(io::open_output(o.out, compression, o.packing),
                                                  output_name(o));
  const auto failure = for_each_load(std::move(in), o,
                                     [&out](std::uint64_t, const mldpc::load& l) { out.write(l); });
  finish(out, out.written(), failure, o);
}
void mldpc_to_rows(tracecodec::trace::source in, const options& o, io::codec compression) {
  with_rows<mldpc::row>(o, compression, [&](auto& out) {
    return for_each_load(std::move(in), o, [&out](std::uint64_t index, const mldpc::load& l) {
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
