// The module tracecodec._core, which the package's Python builds upon.
#include <tracecodec/version.hpp>

#include "common.hpp"

PYBIND11_MODULE(_core, m) {
  namespace p = tracecodec::python;
  m.attr("version") = TRACECODEC_VERSION;
  p::define_errors(m);
  p::define_layouts(m);
  p::define_origin(m);
  p::define_questions(m);
  p::define_tables(m);
  p::define_metadata(m);
  p::define_records(m);
  p::define_instructions(m);
  p::define_output(m);
#if defined(TRACECODEC_WITH_PROGRAMS)
  p::define_convert(m);
#endif
}
