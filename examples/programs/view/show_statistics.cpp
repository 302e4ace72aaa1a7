#include "show_statistics.hpp"

#include "format_view.hpp"
#include "show_counts.hpp"
#include "statistics.hpp"

namespace view {

void show_statistics(tracecodec::trace::reader& trace, const options& o) {
  if (const auto show_own = view_of(trace.format()).show_statistics)
    show_own(trace, o);
  else
    show_counts(trace, o, statistics(trace.columns()));
}

}  // namespace view
