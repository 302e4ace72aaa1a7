// Reports what a repairing reader skips, in a limited number of lines.
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

// Handler for feed_options::skipped and block_reader::on_skipped that reports the first
// five places. Copies share one count. The destructor of the last copy reports the
// total if there were more.
class skipped_log {
 public:
  using say_function = std::function<void(const std::string&)>;
  // Creates a log that passes each line to `say`. `name`, if not empty, precedes each line.
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
