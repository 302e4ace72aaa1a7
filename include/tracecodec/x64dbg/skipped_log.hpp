// Log of the bytes that a repairing reader skips. The number of lines is limited.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "../config.hpp"
#include "reader/block_pass.hpp"

namespace tracecodec::x64dbg {

// Returns a line such as "offset 1234, instruction 5: 67 bytes skipped: ...".
TRACECODEC_FUNC std::string text_of(const skipped_bytes& s);

// Callback for feed_options::skipped and block_reader::on_skipped. The callback reports the first
// five skipped ranges. All copies share one count of the ranges. If more than five ranges were
// skipped, the destructor of the last copy reports the totals.
class skipped_log {
 public:
  using say_function = std::function<void(const std::string&)>;
  // Creates a log that passes each line to `say`. Each line begins with `name`, unless `name` is
  // empty.
  TRACECODEC_FUNC skipped_log(std::string name, say_function say);
  TRACECODEC_FUNC void operator()(const skipped_bytes& s) const;

 private:
  class state;
  std::shared_ptr<state> state_;
};

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/skipped_log.ipp"
#endif
