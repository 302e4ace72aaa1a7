// Reads the selected records of a ChampSim or CloudSuite trace in their stored form.
#pragma once
#include <tracecodec/champsim/descriptor.hpp>
#include <tracecodec/champsim/validating_feed.hpp>
#include <tracecodec/trace/open.hpp>
#include <tracecodec/trace/source.hpp>
#include <tracecodec/tracepack/about.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

#include "../conversion.hpp"
#include "../selected.hpp"

namespace convert {

namespace champsim = tracecodec::champsim;

// Calls take(batch) for each batch of selected records. Returns the error that ended the trace
// early, or null.
template <class Feed, class Take>
std::exception_ptr for_each_record(Feed& from, const options& o, Take take) {
  return for_each_batch(from, o, o.part.skip, end_of(o),
                        [&](const auto& b, std::size_t n) { take(b.first(n)); });
}

// Calls body(feed), where `feed` reads the records of the trace. Throws trace_error like
// trace::visit().
template <class Body> void with_records(tracecodec::trace::source in, const options& o, Body body) {
  using champsim::branch_rules;
  require_known_options(in, o.as);
#if defined(TRACECODEC_WITH_ZSTD)
  if (tracecodec::trace::detail::has_properties(in, o.as)) {
    tracecodec::tracepack::trace_feed<champsim::instruction, true> feed(
        std::move(*in.take_pack()), o.as.own.value_or(branch_rules::current));
    return body(feed);
  }
#endif
  const auto with = [&]<class Record, branch_rules Rules>() {
    champsim::validating_feed<Record, Rules> feed(
        champsim::trace_feed<Record, Rules>(std::move(in.input()), {.trust = true}),
        {.warn = o.as.warn, .note = o.as.note});
    body(feed);
  };
  const bool old = o.as.own.value_or(branch_rules::current) == branch_rules::of_2022;
  if (&in.format() == &champsim::cloudsuite_descriptor::facts) {
    if (old)
      return with.template operator()<champsim::cloudsuite_instruction, branch_rules::of_2022>();
    return with.template operator()<champsim::cloudsuite_instruction, branch_rules::current>();
  }
  if (old) return with.template operator()<champsim::instruction, branch_rules::of_2022>();
  with.template operator()<champsim::instruction, branch_rules::current>();
}

}  // namespace convert
