// Opens a RapidBin file, or its text, as events: all of them, a part, or renumbered.
#pragma once
#include <optional>

#include "../config.hpp"
#include "../io/open.hpp"
#include "../io/owned.hpp"
#include "reader/events.hpp"
#include "reader/selection.hpp"
#include "well_formed.hpp"

namespace tracecodec::rapidbin {

struct open_options {
  bool text = false;     // STD text
  bool lenient = false;  // as reader_options
  bool renumber =
      false;  // dense ids, by first appearance; of text also for names and large numbers
  selection wanted = {};  // before renumbering
  // The part of what is wanted that becomes a trace of its own, before renumbering.
  std::optional<well_formed_part> well_formed = {};
};

// Throws trace_error as the reader's constructor.
TRACECODEC_LAZY io::owned<event_source> open_events(io::input in, open_options options = {});

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/open.ipp"
#endif
