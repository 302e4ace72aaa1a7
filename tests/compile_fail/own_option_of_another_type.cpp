// An option is found by its exact type: a text is none, nor is a lambda in the place of a function.
// expect: no format has options of this type
#include <tracecodec/format/own_options.hpp>
#include <tracecodec/rapidbin/trace_options.hpp>

using namespace tracecodec;

#ifdef FIXED
format::own_options own{rapidbin::metadata_file{"x.json"}};
#else
format::own_options own{"x.json"};
#endif
