// Opens a RapidBin file, or its text, as events: all of them, a part, or renumbered.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "../config.hpp"
#include "../io/open.hpp"
#include "metadata.hpp"
#include "reader/events.hpp"
#include "reader/selection.hpp"
#include "reader/std_reader.hpp"
#include "well_formed.hpp"

namespace tracecodec::rapidbin {

struct open_options {
  bool text = false;      // STD text
  bool lenient = false;   // as reader_options
  bool renumber = false;  // dense ids, by first appearance
  bool fitting = false;   // as std_options: of what is to be written to a RapidBin file
  bool strict = false;    // as std_options
  selection wanted = {};  // before renumbering
  // Where `wanted` has names, the metadata of the trace; null if it has none. Text has its own names.
  const metadata* names = nullptr;
  std::function<void(std_remark, const std::string&)> remark = {};  // as std_options
  // The part of what is wanted that becomes a trace of its own, before renumbering. `text` is set here.
  std::optional<well_formed_part> well_formed = {};
};

// Returns the id that `name` means in a RapidBin file: of that name in the metadata, of which `known` may be null, or the
// number that it is, T2 or 2. A name comes first.
TRACECODEC_FUNC std::optional<std::uint64_t> id_called(id_kind kind, std::string_view name,
                                                       const id_names* known);

// Throws trace_error as the reader's constructor; refused for a name in `wanted` that the metadata of
// a RapidBin file lacks. Of text it may follow, and no event has it if it does not.
TRACECODEC_FUNC std::unique_ptr<event_source> open_events(io::input in, open_options options = {});

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/open.ipp"
#endif
