// The formats that any trace may have: the one list. A new format is a line here, and its folder.
#pragma once
#include "../champsim/descriptor.hpp"
#include "../format/list.hpp"
#include "../rapidbin/descriptor.hpp"
#include "../umtracer/descriptor.hpp"
#include "../x64dbg/descriptor.hpp"

namespace tracecodec::trace {

// In the order in which programs list them; of formats that fit a trace equally well the first one is taken.
using formats =
    format::list<champsim::descriptor, champsim::cloudsuite_descriptor, x64dbg::descriptor,
                 rapidbin::descriptor, rapidbin::std_descriptor, umtracer::descriptor>;

}  // namespace tracecodec::trace
