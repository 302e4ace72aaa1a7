// The functions of umtracer/reader/register_numbers.hpp.
#pragma once
#include "../register_numbers.hpp"

namespace tracecodec::umtracer {

static_assert(register_of("AH") == x86::reg::rax && register_of("SPL") == x86::reg::rsp);
static_assert(register_of("R15B") == x86::reg::r15 && register_of("R7") == x86::reg::none);

TRACECODEC_FUNC register_numbers::register_numbers(const context_map& map) {
  for (std::uint16_t id = 0; id < map.size(); ++id) {
    const x86::reg common = register_of(map.name(map.common_name(id)));
    numbers_[id] = common != x86::reg::none ? common : register_of(map.name(id));
  }
}

}  // namespace tracecodec::umtracer
