#pragma once
#include "../about.hpp"

namespace tracecodec::tracepack {

TRACECODEC_FUNC about about_champsim() { return {.kind = record_kind::champsim, .shape = champsim_shape()}; }
TRACECODEC_FUNC about about_cloudsuite() {
  return {.kind = record_kind::cloudsuite, .shape = cloudsuite_shape()};
}

}  // namespace tracecodec::tracepack
