// Opens a source that transforms the content of another input.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../../io/input/source.hpp"
#include "../../io/open.hpp"

namespace tracecodec::champsim::detail {

// Opens `make(io::input)`, which returns a std::unique_ptr<io::source> that reads its argument
// from the first byte on. For every further pass over the input it is called again.
template <class Make> io::input open_changed(io::input in, Make make) {
  const io::open_options plain{.compression = io::codec::none};
  const std::string name = in.name();
  if (!in.rewindable()) return io::open_source(make(std::move(in)), name, plain);
  // Keeps the input itself alive, because further passes are opened from it.
  const auto first = std::make_shared<io::input>(std::move(in));
  return io::open_sources([first, make = std::move(make)]() { return make(first->again()); }, name,
                          plain);
}

}  // namespace tracecodec::champsim::detail
