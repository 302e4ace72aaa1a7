// Uses the layouts as a simulator built with -fno-exceptions -fno-rtti would.
#include <array>
#include <cstdio>
#include <tracecodec/champsim/layout.hpp>

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "compile this with -fno-exceptions -fno-rtti"
#endif

int main() {
  namespace champsim = tracecodec::champsim;
  champsim::instruction in{};
  in.ip = 0x401000;
  in.source_memory[3] = 0x7FFC0000;
  std::array<std::byte, champsim::instruction_codec::size> bytes{};
  champsim::instruction out{};
  const bool good = champsim::instruction_codec::encode(in, bytes) &&
                    champsim::instruction_codec::decode(bytes, out) && in == out &&
                    bytes[1] == std::byte{0x10} && bytes[56] == std::byte{0} &&
                    bytes[58] == std::byte{0xFC};
  if (!good) std::puts("the record does not survive");
  return good ? 0 : 1;
}
