// Tells of what a repairing reader passes over, in as many lines as a person reads.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "../config.hpp"
#include "reader/block_pass.hpp"

namespace tracecodec::x64dbg {

// "offset 1234, instruction 5: 67 bytes skipped: ..."
TRACECODEC_FUNC std::string text_of(const skipped_bytes& s);

// A handler for feed_options::skipped and block_reader::on_skipped. Copies count together; the last one
// that is destroyed says how many places there were, if not all were told.
class skipped_log {
 public:
  using say_function = std::function<void(const std::string&)>;
  // `name` stands before each text, if it is not empty.
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
