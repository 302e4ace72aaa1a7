#include "conversion.hpp"

#include <tracecodec/champsim/descriptor.hpp>
#include <tracecodec/cvp/descriptor.hpp>

#include <array>

namespace convert {

namespace {

void take_improvements(tracecodec::format::own_options& output) {
  output.reset<tracecodec::cvp::improvements>();
}
constexpr conversion_target to_champsim{.to = &tracecodec::champsim::descriptor::facts,
                                        .write = cvp_to_champsim,
                                        .take_options = take_improvements};
constexpr std::array<conversion_target, 2> cvp1_targets{
    to_champsim, {.to = &tracecodec::cvp::cvp1_descriptor::facts, .write = copy_cvp}};
constexpr std::array<conversion_target, 2> cbp2025_targets{
    to_champsim, {.to = &tracecodec::cvp::cbp2025_descriptor::facts, .write = copy_cvp}};

}  // namespace

constexpr format_conversion cvp1_conversion{.format = &tracecodec::cvp::cvp1_descriptor::facts,
                                            .targets = cvp1_targets,
                                            .to_rows = cvp_to_rows};
constexpr format_conversion cbp2025_conversion{
    .format = &tracecodec::cvp::cbp2025_descriptor::facts,
    .targets = cbp2025_targets,
    .to_rows = cvp_to_rows};

}  // namespace convert
