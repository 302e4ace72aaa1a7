// Implementation of trace/about.hpp.
#pragma once
#include <vector>

#include "../about.hpp"
#include "../formats.hpp"

namespace tracecodec::trace {

TRACECODEC_FUNC std::vector<format::statement> about(const tracepack::about& pack) {
  format::statements all;
  all.add("program", pack.program);
  all.add("arguments", pack.arguments);
  all.add("recorder", pack.recorder);
  all.add("machine", pack.machine);
  all.add("date", pack.date);
  all.add("region", pack.region);
  all.add("comment", pack.comment);
  return all.take();
}

TRACECODEC_FUNC std::vector<format::statement> about(source from) {
  if (from.packed() != nullptr) return about(*from.packed());
  format::statements all;
  formats::with(from.format(), [&]<class D>() {
    if constexpr (format::with_statements<D>) D::about(from.take(), all);
  });
  return all.take();
}

}  // namespace tracecodec::trace
