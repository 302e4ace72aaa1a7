// List of the formats that have format-specific functions for trace_view.
#include <array>

#include "bt9/view.hpp"
#include "champsim/view.hpp"
#include "cvp/view.hpp"
#include "drmemtrace/view.hpp"
#include "format_view.hpp"
#include "mldpc/view.hpp"
#include "rapidbin/view.hpp"
#include "stf/view.hpp"
#include "tarmac/view.hpp"
#include "tenet/view.hpp"
#include "umtracer/view.hpp"
#include "x64dbg/view.hpp"

namespace view {

namespace {

constexpr std::array views{&champsim_view,   &cloudsuite_view, &x64dbg_view, &rapidbin_view,
                           &std_view,        &umtracer_view,   &cvp1_view,   &cbp2025_view,
                           &drmemtrace_view, &stf_view,        &bt9_view,    &tarmac_view,
                           &tenet_view,      &mldpc_view};

}  // namespace

std::span<const format_view* const> all_views() noexcept { return views; }

const format_view& view_of(const tracecodec::format::facts& f) noexcept {
  static constexpr format_view without_parts;
  for (const format_view* const one : views)
    if (one->format == &f) return *one;
  return without_parts;
}

}  // namespace view
