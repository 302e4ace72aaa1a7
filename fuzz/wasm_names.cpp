// Tests the names of functions in a WebAssembly module, from memory and from a stream.
#include "tracecodec/program/wasm_names.hpp"
#include "input.hpp"
#include "target.hpp"

namespace fuzz::wasm_names {
namespace {

void run(view in) {
  std::vector<tracecodec::wasm_function> mapped, streamed;
  const auto first = error_of([&] { mapped = tracecodec::read_wasm_names(input_of(in, true)); });
  const auto second =
      error_of([&] { streamed = tracecodec::read_wasm_names(input_of(in, false)); });
  require(first.has_value() == second.has_value() && mapped == streamed,
          "a stream has the names of a file");
  if (first) {
    require(first->code() == second->code() && first->offset() == second->offset(),
            "and its errors");
    return;
  }
  std::size_t bytes = 0;
  for (std::size_t i = 0; i != mapped.size(); ++i) {
    require(i == 0 || mapped[i - 1].index < mapped[i].index, "indices rise");
    bytes += 2 + mapped[i].name.size();
  }
  require(bytes < in.size(), "there are no more names than bytes");
}
const target registered("wasm_names", run);
}  // namespace
}  // namespace fuzz::wasm_names
