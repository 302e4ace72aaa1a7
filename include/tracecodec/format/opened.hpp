// Open trace that is passed to the descriptor of its format.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "../io/open.hpp"

namespace tracecodec::file {
class record_table;
}

namespace tracecodec::format {

struct opened {
  std::string name = {};  // the path, or "<stdin>"
  // The trace's file, positioned at its first byte. Nullopt if the trace is a folder.
  std::optional<io::input> input = {};
  // Table that describes the layout of the records. If null, the records have the format's own
  // layout.
  std::shared_ptr<const file::record_table> record = {};
};

}  // namespace tracecodec::format
