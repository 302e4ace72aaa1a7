#pragma once
#include "../cut_files.hpp"

#include <memory>
#include <utility>

#include "../../os/os.hpp"
#include "mapped_places.hpp"

namespace tracecodec::io {

TRACECODEC_FUNC void survive_cut_files() { os::on_missing_page(detail::missing); }

TRACECODEC_FUNC void check_mapped_files() {
  const auto error = [] {
    const detail::spin_guard guard(detail::places.lock);
    return detail::error_of_places();
  }();
  if (error) throw *error;
}

TRACECODEC_FUNC std::optional<trace_error> cut_file_error() {
  const auto before = [] {
    const detail::spin_guard guard(detail::places.lock);
    return std::unique_ptr<const trace_error>(std::exchange(detail::places.before, nullptr));
  }();
  if (before) return *before;
  try {
    check_mapped_files();
  } catch (const trace_error& e) {
    return e;
  }
  return std::nullopt;
}

}  // namespace tracecodec::io
