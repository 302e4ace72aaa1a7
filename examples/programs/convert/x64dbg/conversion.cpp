#include "conversion.hpp"

#include <tracecodec/umtracer/descriptor.hpp>
#include <tracecodec/x64dbg/descriptor.hpp>
#include <tracecodec/x64dbg/output_options.hpp>
#if TRACECODEC_OPENS_X64DBG
#include <tracecodec/x64dbg/reader.hpp>
#else
#include <tracecodec/trace/reader.hpp>
#endif

#include <array>
#include <utility>

namespace convert {

namespace {

namespace x64dbg = tracecodec::x64dbg;

bool requests_x64dbg(const tracecodec::format::own_options& output) {
  const auto* const how = output.get<x64dbg::output_options>();
  return how != nullptr && how->mode.has_value();
}

tracecodec::tracepack::processor x64dbg_processor([[maybe_unused]] tracecodec::trace::source& in) {
  using tracecodec::tracepack::processor;
#if TRACECODEC_OPENS_X64DBG
  io::window front(io::open_bytes(in.input().peek(io::input::peek_limit), in.name()));
  if (x64dbg::read_header(front).arch == x64dbg::target::x86) return processor::x86_32;
#endif
  return processor::x86_64;
}

constexpr std::array<conversion_target, 2> x64dbg_targets{
    {{&x64dbg::descriptor::facts, copy_x64dbg},
     {&tracecodec::umtracer::descriptor::facts, x64dbg_to_umtracer}}};

}  // namespace

#if !TRACECODEC_OPENS_X64DBG
// Fallbacks for builds without x64dbg support. The reader's constructor throws an error that names
// the missing library.
void copy_x64dbg(tracecodec::trace::source source, const options& o, const format& /*to*/,
                 io::codec /*compression*/) {
  tracecodec::trace::reader(std::move(source), o.as);
}
void x64dbg_to_umtracer(tracecodec::trace::source source, const options& o, const format& /*to*/,
                        io::codec /*compression*/) {
  tracecodec::trace::reader(std::move(source), o.as);
}
void x64dbg_to_rows(tracecodec::trace::source source, const options& o, io::codec /*compression*/) {
  tracecodec::trace::reader(std::move(source), o.as);
}
#endif

constexpr format_conversion x64dbg_conversion{.format = &x64dbg::descriptor::facts,
                                              .targets = x64dbg_targets,
                                              .to_rows = x64dbg_to_rows,
                                              .disassembles = true,
                                              .processor = x64dbg_processor,
                                              .is_requested = requests_x64dbg,
                                              .output = "an x64dbg trace"};

}  // namespace convert
