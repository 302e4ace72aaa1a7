// Loads of ML-DPC traces as rows of text (rows/): JSON lines and CSV.
#pragma once
#include <cstdint>

#include "../rows/columns.hpp"
#include "layout.hpp"

namespace tracecodec::mldpc {

struct row {
  std::uint64_t index = 0;  // number of the load in the trace
  std::uint64_t instruction = 0, cycle = 0;
  rows::address address = {}, pc = {};
  bool hit = false;
};
constexpr row row_of(std::uint64_t index, const load& l) noexcept {
  return {index, l.instruction, l.cycle, {l.address}, {l.pc}, l.hit != 0};
}

}  // namespace tracecodec::mldpc
