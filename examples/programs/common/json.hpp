// JSON writer that appends to a string.
#pragma once
#include <tracecodec/rows/json.hpp>

#include <string>

namespace examples {

using json = tracecodec::rows::json<std::string>;

}  // namespace examples
