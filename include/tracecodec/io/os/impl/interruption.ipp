#pragma once
#include "../interruption.hpp"

#include <atomic>

namespace tracecodec::io {

namespace detail {
inline constinit std::atomic<interruption_check> is_interrupted{nullptr};
}  // namespace detail

TRACECODEC_FUNC void stop_waiting_if(interruption_check check) noexcept {
  detail::is_interrupted = check;
}

TRACECODEC_FUNC bool interrupted() noexcept {
  const interruption_check check = detail::is_interrupted.load(std::memory_order_relaxed);
  return check != nullptr && check();
}

}  // namespace tracecodec::io
