#include "conversion.hpp"

#include <tracecodec/champsim/descriptor.hpp>

#include <array>

namespace convert {

namespace {

namespace champsim = tracecodec::champsim;

constexpr std::array<conversion_target, 1> champsim_targets{
    {{&champsim::descriptor::facts, copy_records}}};
constexpr std::array<conversion_target, 1> cloudsuite_targets{
    {{&champsim::cloudsuite_descriptor::facts, copy_records}}};

}  // namespace

constexpr format_conversion champsim_conversion{
    .format = &champsim::descriptor::facts,
    .targets = champsim_targets,
    .to_rows = champsim_to_rows,
    .disassembles = true,
    .has_code = has_code,
    .from_any = records_from_any,
    .from_described = described_to_records,
    .output = "ChampSim records (CloudSuite records if IN has them)"};
constexpr format_conversion cloudsuite_conversion{.format = &champsim::cloudsuite_descriptor::facts,
                                                  .targets = cloudsuite_targets,
                                                  .to_rows = champsim_to_rows,
                                                  .from_any = records_from_any,
                                                  .from_described = described_to_records,
                                                  .output = "CloudSuite's"};

}  // namespace convert
