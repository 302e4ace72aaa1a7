// Opens what a source makes of the content of another input.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../../io/input/source.hpp"
#include "../../io/open.hpp"

namespace tracecodec::champsim::detail {

// `make(io::input)` returns the std::unique_ptr<io::source> that reads the input from its first byte on; it is called again
// for each further reading.
template <class Make> io::input open_changed(io::input in, Make make) {
  const io::open_options plain{.compression = io::codec::none};
  const std::string name = in.name();
  if (!in.rewindable()) return io::open_source(make(std::move(in)), name, plain);
  // The input itself stays, as others are opened again from it.
  const auto first = std::make_shared<io::input>(std::move(in));
  return io::open_sources([first, make = std::move(make)]() { return make(first->again()); }, name,
                          plain);
}

}  // namespace tracecodec::champsim::detail
