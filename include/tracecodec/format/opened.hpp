// A trace that is open, as its format's descriptor gets it.
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
  std::string name = {};  // as messages call it: the path, or "<stdin>"
  std::optional<io::input> input =
      {};  // at its first byte; nothing if the trace is a folder, whose path is `name`
  // The table that describes its records, which are to become the format's. Null: they are the format's own.
  std::shared_ptr<const file::record_table> record = {};
};

}  // namespace tracecodec::format
