// List of all formats. To add a format, add its folder and an entry in this list.
#pragma once
#include "../bt9/descriptor.hpp"
#include "../champsim/descriptor.hpp"
#include "../cvp/descriptor.hpp"
#include "../dinero/descriptor.hpp"
#include "../drmemtrace/descriptor.hpp"
#include "../format/list.hpp"
#include "../lackey/descriptor.hpp"
#include "../mldpc/descriptor.hpp"
#include "../rapidbin/descriptor.hpp"
#include "../stf/descriptor.hpp"
#include "../tarmac/descriptor.hpp"
#include "../tenet/descriptor.hpp"
#include "../umtracer/descriptor.hpp"
#include "../x64dbg/descriptor.hpp"

namespace tracecodec::trace {

// Formats in the order in which programs list them. If several formats match a trace equally well,
// the first of them is used.
using formats =
    format::list<champsim::descriptor, champsim::cloudsuite_descriptor, x64dbg::descriptor,
                 rapidbin::descriptor, rapidbin::std_descriptor, umtracer::descriptor,
                 cvp::cvp1_descriptor, cvp::cbp2025_descriptor, drmemtrace::descriptor,
                 stf::descriptor, bt9::descriptor, tarmac::descriptor, tenet::descriptor,
                 lackey::descriptor, dinero::descriptor, mldpc::descriptor>;

}  // namespace tracecodec::trace
