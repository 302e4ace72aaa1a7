// Implementation of trace/open.hpp.
#pragma once
#include <string>
#include <string_view>

#include "../open.hpp"

namespace tracecodec::trace::detail {

[[noreturn]] TRACECODEC_FUNC void refuse_unreadable(const source& from, std::string_view library) {
  const format::facts& f = from.format();
  throw trace_error(trace_errc::unsupported, {.file = from.name()},
                    format::trace_of(f, f.title) + ": this build cannot read it: it lacks " +
                        std::string(library));
}

#if defined(TRACECODEC_WITH_ZSTD)
TRACECODEC_FUNC bool has_properties(const source& from, const format::open_options& o) {
  return from.has_pack() && from.packed()->properties != 0 && !o.record &&
         !o.own.has<champsim::register_numbers>() &&
         &from.format() == &champsim::descriptor::facts &&
         from.packed()->kind == tracepack::record_kind::champsim;
}
#endif

}  // namespace tracecodec::trace::detail
