#pragma once
#include "../shared.hpp"

#include <atomic>

namespace tracecodec::io::detail {

TRACECODEC_FUNC counted::~counted() = default;

TRACECODEC_FUNC void counted::retain() noexcept {
  std::atomic_ref(holders_).fetch_add(1, std::memory_order_relaxed);
}

TRACECODEC_FUNC void counted::release() noexcept {
  if (std::atomic_ref(holders_).fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

}  // namespace tracecodec::io::detail
