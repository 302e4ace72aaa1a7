// Parameters of a model frame's predictors. These parameters are compile-time constants of the code
// that the encoder and the decoder share.
#pragma once
#include <array>
#include <cstddef>

#include "../../layout.hpp"

namespace tracecodec::tracepack::detail {

struct fast_level {
  static constexpr frame_kind kind = frame_kind::fast;
  // Lengths of the histories on which predictions are based, as numbers of preceding units.
  static constexpr std::array<unsigned, 2> histories{6, 16};
  static constexpr unsigned unit_table_bits = 13;     // log2 of the rows of each table of units
  static constexpr unsigned lanes = 5;                // number of address predictors
  static constexpr unsigned address_table_bits = 14;  // log2 of the rows of each table of addresses
};
struct high_level {
  static constexpr frame_kind kind = frame_kind::high;
  static constexpr std::array<unsigned, 4> histories{2, 4, 9, 20};
  static constexpr unsigned unit_table_bits = 15;
  static constexpr unsigned lanes = 11;
  static constexpr unsigned address_table_bits = 16;
};

}  // namespace tracecodec::tracepack::detail
