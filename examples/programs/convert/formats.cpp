// List of the formats that have format-specific conversion functions.
#include <algorithm>
#include <array>

#include "bt9/conversion.hpp"
#include "champsim/conversion.hpp"
#include "cvp/conversion.hpp"
#include "drmemtrace/conversion.hpp"
#include "format_conversion.hpp"
#include "listed/conversion.hpp"
#include "mldpc/conversion.hpp"
#include "rapidbin/conversion.hpp"
#include "stf/conversion.hpp"
#include "tarmac/conversion.hpp"
#include "tenet/conversion.hpp"
#include "umtracer/conversion.hpp"
#include "x64dbg/conversion.hpp"

namespace convert {

namespace {

constexpr std::array conversions{
    &champsim_conversion,   &cloudsuite_conversion, &x64dbg_conversion, &rapidbin_conversion,
    &std_conversion,        &umtracer_conversion,   &cvp1_conversion,   &cbp2025_conversion,
    &drmemtrace_conversion, &stf_conversion,        &bt9_conversion,    &tarmac_conversion,
    &tenet_conversion,      &lackey_conversion,     &dinero_conversion, &mldpc_conversion};

bool writes(const format_conversion& one, const format& f) {
  return std::any_of(one.targets.begin(), one.targets.end(),
                     [&f](const conversion_target& t) { return t.to == &f; });
}

}  // namespace

std::span<const format_conversion* const> all_conversions() noexcept { return conversions; }

const format_conversion& conversion_of(const format& f) noexcept {
  static constexpr format_conversion without_parts;
  for (const format_conversion* const one : conversions)
    if (one->format == &f) return *one;
  return without_parts;
}

tracecodec::tracepack::processor processor_of(tracecodec::trace::source& in) {
  using tracecodec::tracepack::processor;
  if (in.packed() != nullptr && in.packed()->processor != processor::unknown)
    return in.packed()->processor;
  const format_conversion& own = conversion_of(in.format());
  return own.processor != nullptr ? own.processor(in) : processor::x86_64;
}

std::vector<const format*> written_formats() {
  std::vector<const format*> from_any, others;
  for (const format* const f : tracecodec::trace::all_formats())
    if (conversion_of(*f).from_any != nullptr)
      from_any.push_back(f);
    else if (std::any_of(conversions.begin(), conversions.end(),
                         [f](const format_conversion* one) { return writes(*one, *f); }))
      others.push_back(f);
  from_any.insert(from_any.end(), others.begin(), others.end());
  return from_any;
}

}  // namespace convert
