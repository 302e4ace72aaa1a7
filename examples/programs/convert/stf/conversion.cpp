#include "conversion.hpp"

#include <tracecodec/stf/descriptor.hpp>

#include <array>

namespace convert {

namespace {

constexpr std::array<conversion_target, 1> stf_targets{
    {{.to = &tracecodec::stf::descriptor::facts, .write = copy_stf}}};
tracecodec::tracepack::processor riscv64(tracecodec::trace::source& /*in*/) {
  return tracecodec::tracepack::processor::riscv64;
}

}  // namespace

constexpr format_conversion stf_conversion{.format = &tracecodec::stf::descriptor::facts,
                                           .targets = stf_targets,
                                           .to_rows = stf_to_rows,
                                           .processor = riscv64};

}  // namespace convert
