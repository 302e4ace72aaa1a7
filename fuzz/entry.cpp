// Function that libFuzzer calls. It is linked with the source file of a single target.
#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::target::first->run({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}
