#include "conversion.hpp"

#include <tracecodec/rapidbin/descriptor.hpp>

#include <array>

namespace convert {

namespace {

namespace rapidbin = tracecodec::rapidbin;

constexpr std::array<conversion_target, 2> event_targets{
    {{&rapidbin::descriptor::facts, to_events}, {&rapidbin::std_descriptor::facts, to_events}}};

void take_renumber(tracecodec::format::own_options& output) {
  output.reset<rapidbin::as_renumbered>();
}

}  // namespace

constexpr format_conversion rapidbin_conversion{.format = &rapidbin::descriptor::facts,
                                                .targets = event_targets,
                                                .to_rows = rapidbin_to_rows,
                                                .take_row_options = take_renumber,
                                                .output = "a RapidBin trace"};
constexpr format_conversion std_conversion{.format = &rapidbin::std_descriptor::facts,
                                           .targets = event_targets,
                                           .to_rows = rapidbin_to_rows,
                                           .take_row_options = take_renumber,
                                           .output = "STD text"};

}  // namespace convert
