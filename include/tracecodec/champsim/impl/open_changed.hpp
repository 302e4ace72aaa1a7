// Opens a source that transforms the content of another input.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../../io/input/source.hpp"
#include "../../io/open.hpp"

namespace tracecodec::champsim::detail {

// Opens the source that make(io::input) returns as a std::unique_ptr<io::source>. The source must
// read the input from the first byte. Each further pass over the result calls make() again.
template <class Make> io::input open_changed(io::input in, Make make) {
  const io::open_options plain{.compression = io::codec::none};
  const std::string name = in.name();
  if (!in.rewindable()) return io::open_source(make(std::move(in)), name, plain);
  // Keep the input alive, because further passes reopen it.
  const auto first = std::make_shared<io::input>(std::move(in));
  return io::open_sources([first, make = std::move(make)]() { return make(first->again()); }, name,
                          plain);
}

}  // namespace tracecodec::champsim::detail
