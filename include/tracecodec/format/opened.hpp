// An open trace, as passed to its format's descriptor.
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
  std::optional<io::input> input =
      {};  // at its first byte; nullopt for a folder, whose path is `name`
  // The layout of its records if a table describes them. Null: they are the format's own.
  std::shared_ptr<const file::record_table> record = {};
};

}  // namespace tracecodec::format
