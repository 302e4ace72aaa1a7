// Option of a wrong type. Options are found by their exact type, so a text, or a lambda instead of
// a function, does not match.
// expect: no format has options of this type
#include <tracecodec/format/own_options.hpp>
#include <tracecodec/rapidbin/trace_options.hpp>

using namespace tracecodec;

#ifdef FIXED
format::own_options own{rapidbin::metadata_file{"x.json"}};
#else
format::own_options own{"x.json"};
#endif
