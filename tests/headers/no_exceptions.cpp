// Uses all layouts. Compiled with -fno-exceptions and -fno-rtti, as some simulators are.
#include <array>
#include <cstdio>
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/rapidbin/layout.hpp>
#include <tracecodec/umtracer/layout.hpp>
#include <tracecodec/umtracer/layout/context.hpp>
#include <tracecodec/umtracer/layout/exec.hpp>
#include <tracecodec/umtracer/layout/instruction.hpp>
#include <tracecodec/umtracer/layout/syscall.hpp>
#include <tracecodec/wire.hpp>
#include <tracecodec/x64dbg/layout.hpp>

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "compile this with -fno-exceptions -fno-rtti"
#endif

namespace {

// True if a value is the same after encoding and decoding, and its byte `at` is `expected`.
template <class Codec>
bool survives(const typename Codec::value_type& in, std::size_t at, std::byte expected) {
  std::array<std::byte, Codec::size> bytes{};
  typename Codec::value_type out{};
  const bool good = Codec::encode(in, bytes) && Codec::decode(bytes, out) && in == out;
  if (!good || bytes[at] != expected) std::puts("a record does not survive");
  return good && bytes[at] == expected;
}

}  // namespace

int main() {
  using namespace tracecodec;
  champsim::instruction i{};
  i.ip = 0x401000;
  i.source_memory[3] = 0x7FFC0000;
  bool good = survives<champsim::instruction_codec>(i, 58, std::byte{0xFC});
  good &= survives<rapidbin::header_codec>({1, 2, 3, 0x0102}, 17, std::byte{2});
  good &= survives<umtracer::exec_record_codec>({7, umtracer::exec_type::thread_end, 1}, 4,
                                                std::byte{2});
  good &= survives<umtracer::slot_codec>({1, 2, 3, 0x0405, 8}, 7, std::byte{4});

  // x64dbg blocks have no fixed size, and contain views of their bytes.
  using codec = x64dbg::block_codec<wire::target::x64>;
  std::array<std::byte, 64> bytes{};
  x64dbg::block<wire::target::x64> b{};
  good &= !codec::decode(std::span(bytes).first(1), b);
  return good ? 0 : 1;
}
