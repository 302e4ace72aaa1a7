// Reads the instructions of a CVP-1 or CBP2025 trace in their stored form.
#pragma once
#include <tracecodec/cvp/descriptor.hpp>
#include <tracecodec/file/reader.hpp>
#include <tracecodec/trace/source.hpp>

#include <string>
#include <type_traits>
#include <utility>

#include "../selected.hpp"

namespace convert {

namespace cvp = tracecodec::cvp;

// Calls body(reader, dialect), where `dialect` is a std::integral_constant.
template <class Body> void with_instructions(tracecodec::trace::source in, Body body) {
  const auto with = [&]<cvp::dialect D>() {
    tracecodec::file::reader<cvp::trace_file<D>> from(std::move(in.input()));
    body(from, std::integral_constant<cvp::dialect, D>());
  };
  if (&in.format() == &cvp::cvp1_descriptor::facts)
    with.template operator()<cvp::dialect::cvp1>();
  else
    with.template operator()<cvp::dialect::cbp2025>();
}

// Throws usage_error if the options select improvements, which only ChampSim's records have.
inline void refuse_improvements(const options& o) {
  if (o.output.has<cvp::improvements>())
    throw usage_error("--improvements and --as-original are for " +
                      std::string(cvp::improvements_option.traces));
}

}  // namespace convert
